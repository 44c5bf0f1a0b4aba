// Written by `npm run messages`.
export type EventsMessages = Record<never, never>;
