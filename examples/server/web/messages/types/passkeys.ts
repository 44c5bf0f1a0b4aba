// Written by `npm run messages`.
export type PasskeysMessages = Record<never, never>;
