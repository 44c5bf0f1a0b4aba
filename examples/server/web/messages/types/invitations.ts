// Written by `npm run messages`.
export type InvitationsMessages = Record<never, never>;
