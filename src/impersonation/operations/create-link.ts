import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Operator } from '../../core/actor.ts';
import { minute, second } from '../../core/duration.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { rfc3339 } from '../../db/timestamp.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { selectActiveInRole } from '../../users/store.ts';
import type { ImpersonationLink } from '../impersonation.ts';
import { obstacleCodes, obstacleToImpersonate } from '../rules.ts';
import { deleteOtherLinks, insertLink, type StoredLinkRow } from '../store.ts';

const event = 'impersonation.create_link';
const lifetimeSeconds = (5 * minute) / second;

/**
 * Creates the link with which an operator opens a session as a user. A new link replaces an earlier link to the same
 * account.
 *
 * @param reason from `statedReason`, for the audit log
 * @throws AuthError `forbidden` for a superadmin, and if the option `impersonation` is off | `account_disabled`
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
  const [row] = await runtime.db.query<StoredLinkRow>(sql`
    with unchanged as (${selectActiveInRole(user.id, user.role)}),
      replaced as (${deleteOtherLinks(link, andExists('unchanged'))}),
      link as (${insertLink(link, from('unchanged'))}),
      entry as (${recordEvent(actor, entry, from('link'))})
    select link.expires_at from link`);
  // The role or the status has changed since the user was read.
  if (!row) return refuse(runtime, actor, { event, target, code: 'forbidden', reason: 'user_changed' });
  return {
    token,
    url: `${runtime.config.impersonationPage}#token=${token}`,
    expiresAt: rfc3339(row.expires_at),
  };
}
