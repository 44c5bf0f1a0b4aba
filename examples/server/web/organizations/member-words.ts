import type { Explanation } from '../explain.ts';

/** Explains the errors of inviting or adding a user by username. */
export const memberWords: Record<string, Explanation> = {
  not_found: {
    tone: 'warning',
    title: 'User not found',
    body: 'Check the spelling. A user without an account can join with an invitation link.',
  },
  account_disabled: {
    tone: 'warning',
    title: 'That account is disabled',
    body: 'A superadmin must enable the account first.',
  },
};
