import { refuse } from '../../audit/operations/refuse.ts';
import { refuseUnentitled } from '../../audit/operations/refuse-unentitled.ts';
import { recordEvent } from '../../audit/store.ts';
import { isSignedIn } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { linkLifetimeSeconds, recoveryLink, type StoredLinkRow } from '../../recovery/link.ts';
import type { RecoveryLink } from '../../recovery/recovery.ts';
import { putLink } from '../../recovery/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { deleteAssistedRecoverySessions } from '../../sessions/store/ending.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { findUserToHelp, stillEntitledToHelp } from './find-user-to-help.ts';

const event = 'recovery_link.create';

/**
 * Creates the recovery link of an account. An account has at most one recovery link, so a new link replaces the earlier
 * link. The new link also ends the recovery session that the earlier link opened.
 *
 * The link is single-use. It becomes usable after the configured delay and expires one hour later. The user sees the
 * link in every live session and can cancel the link.
 *
 * @throws AuthError `not_found` | `forbidden` | `account_disabled` | `not_authenticated`
 */
export async function createRecoveryLink(
  runtime: Runtime,
  by: Entitled<'user:recover'>,
  userId: string,
): Promise<RecoveryLink> {
  const { actor } = by;
  const token = newSessionToken();
  return retryVersionConflicts(async () => {
    const { user, version, organizationId } = await findUserToHelp(runtime, by, { userId, event });
    const target = { type: 'user', id: user.id, name: user.username } as const;
    const attempt = { event, target, organizationId } as const;
    if (user.status !== 'active')
      return refuse(runtime, actor, { ...attempt, code: 'account_disabled', reason: 'account_disabled' });
    const link = {
      userId: user.id,
      tokenHash: hashToken(token),
      creatorId: isSignedIn(actor) ? actor.user.id : null,
      delaySeconds: runtime.config.assistedRecoveryDelaySeconds,
      lifetimeSeconds: linkLifetimeSeconds,
    };
    const [row] = await runtime.db.query<StoredLinkRow | { usable_at: null }>(sql`
      with entitled as (${stillEntitledToHelp(by, user.id)}),
        claimed as (${claimVersion(user.id, version, andExists('entitled'))}),
        link as (${putLink(link, from('claimed'))}),
        ended as (${deleteAssistedRecoverySessions(user.id, andExists('link'))}),
        entry as (${recordEvent(actor, { ...attempt, outcome: 'success' }, from('link'))})
      select link.usable_at, link.expires_at from entitled left join link on true`);
    if (!row) return refuseUnentitled(runtime, by, attempt);
    return row.usable_at === null ? versionConflict : recoveryLink(runtime, token, row);
  });
}
