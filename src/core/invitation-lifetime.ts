/** The default lifetime of admin invitations and of organization invitations. */
export const defaultHours = 72;
export const longestHours = 720;
export const hoursExpected = `expected whole hours from 1 to ${longestHours}`;
export const isLifetime = (hours: number): boolean =>
  Number.isInteger(hours) && hours >= 1 && hours <= longestHours;
