import { refuse } from '../../audit/operations/refuse.ts';
import type { Attempt, Reach } from '../../authorization/authorize.ts';
import { isSignedIn, type Operator, type SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, pageOf } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Role, User, UserStatus } from '../../core/user.ts';
import { selectManagedWith, selectPeopleManagedBy } from '../../organizations/store.ts';
import { reachOf } from '../../roles/rules.ts';
import { accountName } from '../../users/rules.ts';
import { selectUsers } from '../../users/store/search.ts';
import { selectUser, selectUserNamed, type UserRow, userFromRow } from '../../users/store.ts';

export interface UserSearch extends PageRequest {
  /** The beginning of a username or display name. */
  query?: string | undefined;
  role?: Role | undefined;
  status?: UserStatus | undefined;
}

/**
 * One page of users, by username.
 *
 * @throws AuthError `invalid_request` for a cursor that is not ours
 */
export async function listUsers(
  runtime: Runtime,
  reach: Reach,
  { query, role, status, ...page }: UserSearch,
): Promise<Page<User>> {
  const among = reach === 'any' ? undefined : selectPeopleManagedBy(reach.managedBy);
  const after = keyOfCursor(page, (key) => key === accountName(key));
  const filter = { query: query || undefined, role, status, among, after, limit: page.limit + 1 };
  const rows = await runtime.db.query<UserRow>(selectUsers(filter));
  return pageOf(rows, page, userFromRow, ({ username }) => username);
}

/** A user by name. @throws AuthError `not_found` */
export async function findUserNamed(runtime: Runtime, username: string): Promise<User> {
  const [row] = await runtime.db.query<UserRow>(selectUserNamed(accountName(username)));
  if (!row) throw new AuthError('not_found');
  return userFromRow(row);
}

/** A user, the version of the account, and the organization through which an admin knows the user. */
export interface FoundUser {
  user: User;
  version: number;
  organizationId: string | undefined;
}

/**
 * Finds a user whom the actor may see. An operator may see every user. Refusals are recorded, also for users outside of
 * the actor's scope.
 *
 * @throws AuthError `forbidden` | `not_found`
 */
export async function findUser(
  runtime: Runtime,
  actor: SignedInActor | Operator,
  { userId, event }: { userId: string; event: Attempt['event'] },
): Promise<FoundUser> {
  const id = isUuid(userId) ? userId : null;
  const target = { type: 'user', id, name: null } as const;
  const reach = isSignedIn(actor) ? reachOf(actor.user, 'user:read') : 'any';
  if (reach === null)
    return refuse(runtime, actor, { event, code: 'forbidden', reason: 'role_too_low', target });
  const [row] = id === null ? [] : await runtime.db.query<UserRow & { version: number }>(selectUser(id));
  if (!row) throw new AuthError('not_found');
  const found = { user: userFromRow(row), version: row.version };
  if (reach === 'any' || !isSignedIn(actor)) return { ...found, organizationId: undefined };
  const [shared] = await runtime.db.query<{ organization_id: string }>(
    selectManagedWith(actor.user.id, found.user.id),
  );
  if (shared) return { ...found, organizationId: shared.organization_id };
  return refuse(runtime, actor, { event, code: 'not_found', reason: 'not_of_their_organizations', target });
}
