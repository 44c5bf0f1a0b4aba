// Written by `npm run messages`.
export type ErrorsMessages = Record<never, never>;
