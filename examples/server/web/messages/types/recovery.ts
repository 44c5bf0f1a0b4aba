// Written by `npm run messages`.
export type RecoveryMessages = Record<never, never>;
