import type { AuditEventName } from '../../audit/event-names.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import { isOperator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { isUuid } from '../../core/identifiers.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import type { FieldAudience, StoredFields } from '../../core/user-fields.ts';
import { selectManagedOrganizationOf } from '../../organizations/store/managed.ts';
import type { Capability } from '../../roles/capabilities.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { usernameLookup } from '../../users/rules.ts';
import { type FieldsRow, selectUser, selectUserNamed, type UserRow, userFromRow } from '../../users/store.ts';

/** Finds a user by username. @throws AuthError `not_found` */
export async function findUserNamed(runtime: Runtime, username: string): Promise<User> {
  const [row] = await runtime.db.query<UserRow>(
    selectUserNamed(usernameLookup(username, runtime.config.usernames)),
  );
  if (!row) throw new AuthError('not_found');
  return userFromRow(row);
}

/** What `selectUser` returns. */
export type FoundUserRow = UserRow & FieldsRow & { version: number; disabled_reason: string | null };

export interface FoundUser {
  user: User;
  /** The account's version number, for `claimVersion`. */
  version: number;
  /** All own fields. A response must contain only those that the caller can read. */
  fields: StoredFields;
  /** Why the user is disabled. Null: no reason was given, or the user is active. */
  disabledReason: string | null;
  /** An organization that the user belongs to and the actor manages. Undefined if the actor may see every user. */
  organizationId: string | undefined;
}

/**
 * Finds a user that the actor may see, with the own fields that the actor can read. `disabledReason` is null if the actor
 * may see only some users, because the text can be about anything that the user did, and can name other users.
 *
 * @throws AuthError as in `findUserWithin`
 */
export async function getUser(
  runtime: Runtime,
  by: Entitled<'user:read'>,
  userId: string,
): Promise<Pick<FoundUser, 'user' | 'disabledReason'> & { fields: Record<string, unknown> }> {
  const { fields, user, disabledReason } = await findUserWithin(runtime, by, { userId, event: 'user.get' });
  return {
    user,
    disabledReason: by.reach === 'any' ? disabledReason : null,
    fields: runtime.fields.readableBy(audienceOf(by), fields),
  };
}

/**
 * Returns the audience of the actor for own fields of other users. An actor whose capability covers all users counts as
 * a superadmin, and an actor whose capability covers only some users counts as an admin.
 */
export const audienceOf = ({ actor, reach }: Pick<Entitled<Capability>, 'actor' | 'reach'>): FieldAudience =>
  isOperator(actor) ? 'operator' : reach === 'any' ? 'superadmin' : 'admin';

/**
 * Finds a user among the users that the actor's capability covers: all users, or the members of the organizations that
 * the actor manages. For any other user, throws the same error as for an unknown id, and records a refusal in the audit
 * log.
 *
 * @throws AuthError `not_found`
 */
export async function findUserWithin(
  runtime: Runtime,
  {
    actor,
    reach,
  }: Entitled<
    Extract<
      Capability,
      'user:read' | 'user:update' | 'user:recover' | 'user:end_sessions' | 'user:impersonate'
    >
  >,
  { userId, event }: { userId: string; event: AuditEventName },
): Promise<FoundUser> {
  const id = isUuid(userId) ? userId : null;
  const [row] = id === null ? [] : await runtime.db.query<FoundUserRow>(selectUser(id));
  if (!row) throw new AuthError('not_found');
  const { version, fields, disabled_reason: disabledReason } = row;
  const found = { user: userFromRow(row), version, fields, disabledReason };
  if (reach === 'any') return { ...found, organizationId: undefined };
  const [shared] = await runtime.db.query<{ organization_id: string }>(
    selectManagedOrganizationOf(reach.managedBy, found.user.id),
  );
  if (shared) return { ...found, organizationId: shared.organization_id };
  const target = { type: 'user', id, name: null } as const;
  return refuse(runtime, actor, { event, code: 'not_found', reason: 'not_of_their_organizations', target });
}
