import { refuse } from '../../audit/operations.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import { keyOfCursor, type Page, type PageRequest, pageOf } from '../../core/page.ts';
import type { Runtime } from '../../core/runtime.ts';
import { selectManagedWith, selectPeopleManagedBy } from '../../organizations/store.ts';
import type { Attempt, Reach } from '../../roles/operations.ts';
import { mayHelp, reachOf } from '../../roles/rules.ts';
import { accountName } from '../../users/rules.ts';
import { selectUsers } from '../../users/store/search.ts';
import { selectUser, selectUserNamed, type UserRow, userFromRow } from '../../users/store.ts';
import type { Role, User, UserStatus } from '../../users/user.ts';

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

/** A person, and the organization through which an admin knows them. */
export interface FoundPerson {
  person: User;
  organizationId: string | undefined;
}

/**
 * A person whom the caller knows of. A refusal is written down, not knowing of the person too.
 *
 * @throws AuthError `forbidden` | `not_found`
 */
export async function findPerson(
  runtime: Runtime,
  actor: SignedInActor,
  { userId, event }: { userId: string; event: Attempt['event'] },
): Promise<FoundPerson> {
  const id = isUuid(userId) ? userId : null;
  const target = { type: 'user', id, name: null } as const;
  const reach = reachOf(actor.user, 'user:read');
  if (reach === null)
    return refuse(runtime, actor, { event, code: 'forbidden', reason: 'role_too_low', target });
  const [row] = id === null ? [] : await runtime.db.query<UserRow>(selectUser(id));
  if (!row) throw new AuthError('not_found');
  const person = userFromRow(row);
  if (reach === 'any') return { person, organizationId: undefined };
  const [shared] = await runtime.db.query<{ organization_id: string }>(
    selectManagedWith(actor.user.id, person.id),
  );
  if (shared) return { person, organizationId: shared.organization_id };
  return refuse(runtime, actor, { event, code: 'not_found', reason: 'not_of_their_organizations', target });
}

/**
 * As `findPerson`, of somebody whom the caller may help back in, and so take the account from: of lower role, or both
 * superadmins.
 *
 * @throws AuthError `forbidden` | `not_found`
 */
export async function findPersonToHelp(
  runtime: Runtime,
  actor: SignedInActor,
  asked: { userId: string; event: Attempt['event'] },
): Promise<FoundPerson> {
  const found = await findPerson(runtime, actor, asked);
  const { person, organizationId } = found;
  if (mayHelp(actor.user, person)) return found;
  return refuse(runtime, actor, {
    event: asked.event,
    code: 'forbidden',
    reason: person.id === actor.user.id ? 'oneself' : 'role_too_low',
    target: { type: 'user', id: person.id, name: person.username },
    organizationId,
  });
}
