// Written by `npm run messages`.
export type PersonMessages = Record<never, never>;
