// Written by `npm run messages`.
export type OverviewMessages = Record<never, never>;
