/** In milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const day = 24 * 60 * minute;

/** The text of a PostgreSQL interval. The statement must cast the text with `::interval`. */
export const interval = (seconds: number): string => `${seconds} seconds`;
