import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Operator } from '../../core/actor.ts';
import { minute, second } from '../../core/duration.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { rfc3339 } from '../../db/timestamp.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { deleteOtherLinks, insertLink, type StoredLinkRow } from '../../impersonation-links/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { selectActiveInRole, selectUser } from '../../users/store.ts';
import type { ImpersonationLink } from '../impersonation.ts';
import { obstacleCodes, obstacleToImpersonate } from '../rules.ts';

const event = 'impersonation.create_link';
const lifetimeSeconds = (5 * minute) / second;

/**
 * Creates the link with which an operator opens a session as a user. A new link replaces an earlier link to the same
 * account. The statement claims the version of the account, so that of two concurrent links, one replaces the other.
 *
 * @param reason from `statedReason`, for the audit log
 * @throws AuthError `feature_disabled` if the option `impersonation` is off | `forbidden` for a superadmin |
 *   `account_disabled`
 */
export async function createImpersonationLink(
  runtime: Runtime,
  by: Entitled<'user:impersonate'> & { readonly actor: Operator },
  user: User,
  reason: string,
): Promise<ImpersonationLink> {
  const { actor } = by;
  const target = { type: 'user', id: user.id, name: user.username } as const;
  if (!runtime.config.impersonation)
    return refuse(runtime, actor, { event, target, code: 'feature_disabled', reason: 'impersonation_off' });
  const obstacle = obstacleToImpersonate(null, user);
  if (obstacle)
    return refuse(runtime, actor, { event, target, code: obstacleCodes[obstacle], reason: obstacle });
  const token = newSessionToken();
  const link = {
    tokenHash: hashToken(token),
    userId: user.id,
    operator: actor.operator,
    reason,
    lifetimeSeconds,
  };
  const entry = { event, outcome: 'success', target, details: { statedReason: reason } } as const;
  const row = await retryVersionConflicts(async () => {
    const [account] = await runtime.db.query<{ version: number }>(selectUser(user.id));
    const [stored] = await runtime.db.query<StoredLinkRow | { expires_at: null }>(sql`
      with unchanged as (${selectActiveInRole(user.id, user.role)}),
        claimed as (${claimVersion(user.id, account?.version ?? 0, andExists('unchanged'))}),
        replaced as (${deleteOtherLinks(link, andExists('claimed'))}),
        link as (${insertLink(link, from('claimed'))}),
        entry as (${recordEvent(actor, entry, from('link'))})
      select link.expires_at from unchanged left join link on true`);
    // The role or the status has changed since the user was read.
    if (!stored) return refuse(runtime, actor, { event, target, code: 'forbidden', reason: 'user_changed' });
    return stored.expires_at === null ? versionConflict : stored;
  });
  return {
    token,
    url: `${runtime.config.impersonationPage}#token=${token}`,
    expiresAt: rfc3339(row.expires_at),
  };
}
