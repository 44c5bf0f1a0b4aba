// Written by `npm run messages`.
export type HomeMessages = Record<never, never>;
