// Written by `npm run messages`.
export type ProfileMessages = Record<never, never>;
