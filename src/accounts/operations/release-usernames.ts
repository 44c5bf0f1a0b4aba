import { recordEvent } from '../../audit/store.ts';
import { system } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, type Sql, sql } from '../../db/sql.ts';
import { revokeInvitationsFor } from '../../invitations/store.ts';
import { releaseHeldUsername, selectHeldUsernames } from '../../users/store/held.ts';
import {
  releaseErasedUsername,
  releaseUsername,
  selectReleasable,
  selectReleasableErased,
} from '../../users/store/release.ts';

/**
 * Releases the usernames of accounts that were deleted at least `deletedUsernameReleaseDays` ago. By default,
 * deleted accounts keep their usernames. Usernames are unique, so no sign-up can take a username before its
 * release. After the release, one of several concurrent sign-ups gets the username. Also releases the earlier usernames
 * of the account.
 *
 * Also revokes the invitations for the username, because they were meant for the earlier user.
 *
 * @returns how many usernames this call found, at most `most`
 */
export async function releaseUsernames({ config, db }: Runtime, most: number): Promise<number> {
  const days = config.deletedUsernameReleaseDays;
  if (days === 0) return 0;
  const accounts = await db.query<{ id: string; username: string }>(selectReleasable(days, most));
  for (const { id, username } of accounts) {
    // Releases the current username last. If the process stops earlier, the next call finds the account again.
    for (const held of await db.query<{ username: string }>(selectHeldUsernames(id)))
      await release(db, { id, username: held.username }, releaseHeldUsername(id, held.username));
    await release(db, { id, username }, releaseUsername(id, username));
  }
  return accounts.length;
}

/** Releases one username. If a concurrent statement has released it, `released` is empty, and nothing changes. */
async function release(
  db: Runtime['db'],
  { id, username }: { id: string; username: string },
  releasing: Sql,
): Promise<void> {
  const target = { type: 'user', id, name: username } as const;
  const entry = { event: 'user.release_username', outcome: 'success', target } as const;
  await db.query(sql`
    with released as (${releasing}),
      revoked as (${revokeInvitationsFor(username, andExists('released'))}),
      entry as (${recordEvent(system, entry, from('released'))})
    select released.id from released`);
}

/**
 * Releases the usernames of erased users, as `releaseUsernames` does for deleted accounts. The database has only the
 * digests of these usernames, so the event contains neither the username nor the id.
 *
 * @returns how many usernames this call found, at most `most`
 */
export async function releaseErasedUsernames({ config, db }: Runtime, most: number): Promise<number> {
  const days = config.deletedUsernameReleaseDays;
  if (days === 0) return 0;
  const usernames = await db.query<{ digest: string }>(selectReleasableErased(days, most));
  for (const { digest } of usernames) {
    const target = { type: 'user', id: null, name: null } as const;
    const entry = { event: 'user.release_username', outcome: 'success', target } as const;
    await db.query(sql`
      with released as (${releaseErasedUsername(digest)}),
        entry as (${recordEvent(system, entry, from('released'))})
      select released.digest from released`);
  }
  return usernames.length;
}
