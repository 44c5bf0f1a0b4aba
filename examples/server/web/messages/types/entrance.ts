// Written by `npm run messages`.
export type EntranceMessages = Record<never, never>;
