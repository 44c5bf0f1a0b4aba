import type { Check } from './check.ts';

/** Reports the users whose usernames the current rule does not allow. They signed up under an earlier rule. */
export const examineUsernames = (users: number): Check[] =>
  users === 0
    ? []
    : [
        {
          name: 'Usernames',
          level: 'warning',
          message: `${users === 1 ? '1 user has a username' : `${users} users have usernames`} that the option usernames (USERNAMES) does not allow`,
          why: 'These users can still sign in, but no user can sign up with such a username.',
          fix: 'Change this option, or rename the users: auth.asOperator(name).users.rename(username, newUsername)',
        },
      ];
