import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import { type CheckedFields, mergeFields } from '../../core/field-set.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { ReadSession } from '../../core/session.ts';
import type { User } from '../../core/user.ts';
import type { FieldAudience } from '../../core/user-fields.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { obstacleToFresh, type SessionObstacle } from '../../sessions/rules.ts';
import { sessionChecks } from '../../sessions/session-checks.ts';
import { claimVersionForProfile } from '../../users/store/versions.ts';
import { selectUser, type UserRow, userFromRow } from '../../users/store.ts';
import { findUserToHelp, stillEntitledToHelp } from './find-user-to-help.ts';
import { audienceOf, type FoundUser, type FoundUserRow } from './find-users.ts';

/** New values of a profile. Absent: the value does not change. */
export interface ProfileChanges {
  /** Null removes the display name. */
  displayName?: string | null | undefined;
  /** Null removes a field. */
  fields?: Readonly<Record<string, unknown>> | undefined;
}

/** A user, with the own fields that the caller can read. */
export interface UserProfile {
  user: User;
  fields: Record<string, unknown>;
}

/**
 * Changes the actor's own display name and the own fields that users can write. A change to the same values writes
 * nothing.
 *
 * @param read the session of the actor. A change of a field with `requiresFreshAuthentication` needs fresh
 *   authentication
 * @throws AuthError `invalid_request` for fields that users cannot write, and for invalid values
 * @throws AuthError `reauthentication_required` | `passkey_required`
 * @throws AuthError `not_authenticated` if the actor's session ends during the call
 */
export async function updateOwnProfile(
  runtime: Runtime,
  actor: SignedInActor,
  changes: ProfileChanges,
  read: ReadSession,
): Promise<UserProfile> {
  const checks = sessionChecks(runtime, actor, 'any');
  return update(runtime, changes, {
    by: checks,
    audience: 'user',
    event: 'account.update',
    find: () => findOwnAccount(runtime, actor),
    entitled: checks.stillEntitled,
    fresh: { ...sessionChecks(runtime, actor, 'privileged'), obstacle: obstacleToFresh(read) },
  });
}

/**
 * Changes the display name and the own fields of a user that the actor may help (see `obstacleToHelp`). Admins and
 * superadmins can change only the fields that `write` of the field allows them.
 *
 * @throws AuthError `not_found` | `forbidden` | `invalid_request` | `not_authenticated`
 */
export async function updateProfileOf(
  runtime: Runtime,
  by: Entitled<'user:update'>,
  userId: string,
  changes: ProfileChanges,
): Promise<UserProfile> {
  const event = 'user.update';
  return update(runtime, changes, {
    by,
    audience: audienceOf(by),
    event,
    find: () => findUserToHelp(runtime, by, { userId, event }),
    entitled: stillEntitledToHelp(by, userId),
  });
}

type Checks = Pick<Entitled<'user:update'>, 'actor' | 'stillEntitled' | 'stillSignedIn' | 'stillPrivileged'>;

interface Update {
  by: Checks;
  audience: FieldAudience;
  event: 'account.update' | 'user.update';
  find(): Promise<FoundUser>;
  /** Repeats the check of the actor in the statement. */
  entitled: Sql;
  /**
   * The checks for a change that needs fresh authentication. `obstacle`: why the actor cannot make the change. Absent:
   * every request needs fresh authentication anyway.
   */
  fresh?: Checks & { obstacle: SessionObstacle | null };
}

async function update(
  runtime: Runtime,
  { displayName, fields = {} }: ProfileChanges,
  { by, audience, event, find, entitled, fresh }: Update,
): Promise<UserProfile> {
  let checked: CheckedFields | null = null;
  return retryVersionConflicts(async () => {
    const { user, version, fields: stored, organizationId } = await find();
    // Runs after the first `find`, so that a caller without access learns nothing about the fields.
    checked ??= await runtime.fields.check(audience, fields);
    const merged = mergeFields(stored, checked);
    const newName = displayName === undefined ? user.displayName : displayName;
    const names = [...(newName === user.displayName ? [] : ['displayName']), ...merged.changed];
    const shown = runtime.fields.readableBy(audience, merged.fields);
    if (names.length === 0) return confirmAnswer(runtime, { user, fields: shown });
    const target = { type: 'user', id: user.id, name: user.username } as const;
    const attempt = { event, target, organizationId } as const;
    const needed = runtime.fields.needFreshAuthentication(merged.changed) ? fresh : undefined;
    if (needed?.obstacle) {
      const { obstacle } = needed;
      return refuse(runtime, by.actor, { ...attempt, code: obstacle, reason: obstacle });
    }
    // The values can be personal data, so the audit log contains only the names.
    const entry = { ...attempt, outcome: 'success', details: { changed: names.join(', ') } } as const;
    const [row] = await runtime.db.query<UserRow | { user_id: null }>(sql`
      with entitled as (${needed?.stillEntitled ?? entitled}),
        changed as (${claimVersionForProfile(
          user.id,
          version,
          { displayName: newName, fields: merged.fields },
          andExists('entitled'),
        )}),
        entry as (${recordEvent(by.actor, entry, from('changed'))})
      select changed.* from entitled left join changed on true`);
    if (!row) return refuseUnentitled(runtime, needed ?? by, attempt);
    return row.user_id === null ? versionConflict : { user: userFromRow(row), fields: shown };
  });
}

/** Reads the actor's own account. @throws AuthError `not_authenticated` if the account no longer exists */
export async function findOwnAccount(runtime: Runtime, actor: SignedInActor): Promise<FoundUser> {
  const [row] = await runtime.db.query<FoundUserRow>(selectUser(actor.user.id));
  if (!row) throw new AuthError('not_authenticated');
  const { version, fields, disabled_reason: disabledReason } = row;
  return { user: userFromRow(row), version, fields, disabledReason, organizationId: undefined };
}
