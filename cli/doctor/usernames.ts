import type { Check } from './check.ts';

/** Reports the users who signed up before a change of the rule for usernames. */
export const examineUsernames = (others: number): Check[] =>
  others === 0
    ? []
    : [
        {
          name: 'Usernames',
          level: 'warning',
          message: `${others === 1 ? '1 user has a username' : `${others} users have usernames`} that USERNAMES does not allow`,
          why: 'These users can still sign in, but no user can sign up with such a username.',
          fix: 'Change USERNAMES, or rename the users: auth.asOperator(name).users.rename(username, newUsername)',
        },
      ];
