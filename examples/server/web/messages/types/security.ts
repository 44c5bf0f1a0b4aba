// Written by `npm run messages`.
export type SecurityMessages = Record<never, never>;
