import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { refuse } from '../../audit/operations/refuse.ts';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { lifetimesOf } from '../../sessions/lifetimes.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { lockLiveSession, renewSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { sealCeremony } from '../ceremony.ts';
import { requestOptions } from '../options.ts';
import { type AccountPasskeyRow, descriptorsFromRows, recordUse, selectOfAccount } from '../store.ts';
import { refuseAfterConflict, verifyAuthenticationCeremony } from './verify-authentication-ceremony.ts';

/** Starts a step-up: the signed-in user authenticates again. Returns options that allow only the user's passkeys. */
export async function startStepUp(
  runtime: Runtime,
  actor: SignedInActor,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(actor.user.id));
  const challenge = sealCeremony(runtime, actor, { kind: 'stepup', userId: actor.user.id });
  return requestOptions(runtime.config, challenge, descriptorsFromRows(rows));
}

/**
 * Finishes a step-up. Updates the session's authentication time and method, and gives the session a new token.
 *
 * @throws AuthError `authentication_failed`
 */
export async function finishStepUp(
  runtime: Runtime,
  actor: SignedInActor,
  credential: AuthenticationResponseJSON,
): Promise<OpenedSession> {
  const verified = await verifyAuthenticationCeremony(runtime, actor, credential, 'stepup');
  const { passkeyId, assertion } = verified;
  // The ceremony started while another user was signed in on this browser.
  if (verified.user.id !== actor.user.id) {
    return refuse(runtime, actor, {
      event: 'passkey.stepup',
      code: 'authentication_failed',
      reason: 'challenge_of_another_user',
      target: { type: 'passkey', id: passkeyId, name: verified.user.username },
    });
  }
  const token = newSessionToken();
  const entry = {
    event: 'passkey.stepup',
    outcome: 'success',
    target: { type: 'passkey', id: passkeyId, name: actor.user.username },
  } as const;
  const { idleSeconds } = lifetimesOf('full', actor.user.role, runtime.config, actor.request);
  const [row] = await runtime.db.query<OpenedSessionRow>(sql`
    with live as (${lockLiveSession(actor.session.id)}),
      used as (${recordUse(passkeyId, assertion, actor, andExists('live'))}),
      session as (${renewSession(actor.session.id, token, { method: 'passkey', passkeyId }, idleSeconds, andExists('used'))}),
      entry as (${recordEvent(actor, entry, from('session'))})
    select * from session`);
  if (!row) return refuseAfterConflict(runtime, actor, verified, 'passkey.stepup');
  return openedFromRow(row, token);
}
