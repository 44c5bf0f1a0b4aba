import type { User } from '../users/user.ts';

const rank = { user: 1, admin: 2, superadmin: 3 } as const;

type Person = Pick<User, 'id' | 'role'>;

/**
 * Whether the first may help the second back in: whoever does could take the account over, so only somebody of higher
 * role may; and one superadmin another, or nobody could.
 */
export const mayHelp = (helper: Person, person: Person): boolean =>
  helper.id !== person.id && (rank[helper.role] > rank[person.role] || helper.role === 'superadmin');

/** Whether somebody knows of a person at all. Admins know the members of their organizations. */
export const mayKnowOf = (helper: Person): boolean => helper.role === 'superadmin';
