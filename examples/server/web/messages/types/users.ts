// Written by `npm run messages`.
export type UsersMessages = Record<never, never>;
