import { explanation } from '../explain.ts';

/** Explains a failed sign-in. The service reveals that an account is disabled only after a valid proof. */
export const accountDisabled = explanation(
  'warning',
  'entrance.accountDisabledTitle',
  'entrance.accountDisabledBody',
);
