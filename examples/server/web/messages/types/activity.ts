// Written by `npm run messages`.
export type ActivityMessages = Record<never, never>;
