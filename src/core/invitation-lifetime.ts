/** How many hours an invitation of either kind can be accepted, unless its maker says otherwise. */
export const defaultHours = 72;
export const longestHours = 720;
export const hoursExpected = `expected whole hours from 1 to ${longestHours}`;
export const isLifetime = (hours: number): boolean =>
  Number.isInteger(hours) && hours >= 1 && hours <= longestHours;
