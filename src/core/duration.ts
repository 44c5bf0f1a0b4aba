/** In milliseconds. */
export const second = 1000;
export const minute = 60 * second;

/** A PostgreSQL interval literal for a number of seconds, to be cast with `::interval`. */
export const interval = (seconds: number): string => `${seconds} seconds`;
