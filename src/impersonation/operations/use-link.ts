import { v7 as uuid } from 'uuid';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { Actor, Caller, Operator } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { retryVersionConflicts, versionConflict } from '../../db/version-conflict.ts';
import { type PresentedLinkRow, selectPresentedLink, spendLink } from '../../impersonation-links/store.ts';
import { deleteOtherSessionsOfImpersonator } from '../../sessions/store/ending.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { deletePresented, insertSession } from '../../sessions/store.ts';
import { hashToken, newSessionToken } from '../../sessions/token.ts';
import { claimVersion } from '../../users/store/versions.ts';
import { type UserRow, userFromRow } from '../../users/store.ts';
import { obstacleToImpersonate } from '../rules.ts';
import type { StartedImpersonation } from './start.ts';

const event = 'impersonation.start';

/**
 * Opens an impersonated session with the link of an operator. The session replaces the session of the caller.
 *
 * The statement increments the version of the account, so a concurrent change of the role has to retry. The retry also
 * ends this session.
 *
 * @throws AuthError `authentication_failed` for every cause
 */
export async function useImpersonationLink(
  runtime: Runtime,
  caller: Actor,
  linkToken: string,
): Promise<StartedImpersonation> {
  const tokenHash = hashToken(linkToken);
  return retryVersionConflicts(() => attemptToUse(runtime, caller, tokenHash));
}

async function attemptToUse(
  runtime: Runtime,
  caller: Actor,
  tokenHash: string,
): Promise<StartedImpersonation | typeof versionConflict> {
  const [link] = await runtime.db.query<UserRow & PresentedLinkRow>(selectPresentedLink(tokenHash));
  const user = link ? userFromRow(link) : null;
  const target = user ? ({ type: 'user', id: user.id, name: user.username } as const) : undefined;
  const refuseWith = (reason: string) =>
    refuse(runtime, caller, { event, target, code: 'authentication_failed', reason });
  if (!link || !user) return refuseWith('link_unknown_or_used');
  if (!link.live) return refuseWith('link_expired');
  const obstacle = obstacleToImpersonate(null, user);
  if (obstacle) return refuseWith(obstacle);

  const id = uuid();
  const token = newSessionToken();
  const operator = actingAs(caller, link.operator_name);
  const impersonator = { type: 'operator', id: null, name: link.operator_name } as const;
  const opened = { id, user, token, kind: 'full', method: 'impersonation', impersonator } as const;
  const details = { statedReason: link.reason, sessionId: id };
  const entry = { event, outcome: 'success', target, details } as const;
  const [row] = await runtime.db.query<OpenedSessionRow>(sql`
    with claimed as (${claimVersion(user.id, link.version, sql``)}),
      spent as (${spendLink(tokenHash, andExists('claimed'))}),
      replaced as (${deletePresented(caller, andExists('spent'))}),
      ended as (${deleteOtherSessionsOfImpersonator(opened, andExists('spent'))}),
      session as (${insertSession(opened, caller, runtime.config, from('spent'))}),
      entry as (${recordEvent(operator, entry, from('spent'))})
    select * from session`);
  // Another request has used the link, or the account has changed.
  return row ? { user, ...openedFromRow(row, token) } : versionConflict;
}

/** The operator who created the link, with the address and the browser of the request. */
function actingAs(
  { ip, userAgent, requestId, browser, sessionToken, request }: Caller,
  name: string,
): Operator {
  return { ip, userAgent, requestId, browser, sessionToken, request, operator: name };
}
