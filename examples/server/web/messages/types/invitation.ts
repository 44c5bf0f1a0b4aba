// Written by `npm run messages`.
export type InvitationMessages = Record<never, never>;
