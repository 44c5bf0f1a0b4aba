import type { Explanation } from '../explain.ts';

/** Explains a failed sign-in. The service reveals that an account is disabled only after a valid proof. */
export const accountDisabled: Explanation = {
  tone: 'warning',
  title: 'Your account is disabled',
  body: 'To sign in again, ask an administrator of this site to enable it.',
};
