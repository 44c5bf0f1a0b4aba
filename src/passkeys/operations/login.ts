import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import type { User } from '../../core/user.ts';
import { andExists, from, sql } from '../../db/sql.ts';
import { deletePresented, insertSession, type SessionRow, sessionFromRow } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { canonicalUsername } from '../../users/rules.ts';
import { selectActive } from '../../users/store.ts';
import { sealCeremony } from '../ceremony.ts';
import { decoyCredentials, type CredentialDescriptor } from '../decoys.ts';
import { requestOptions } from '../options.ts';
import { type AccountPasskeyRow, descriptorsFromRows, recordUse, selectOfUsername } from '../store.ts';
import { verifyAuthenticationCeremony, refuseOvertaken } from './prove-assertion.ts';

/**
 * Begins a login. Without a username any discoverable passkey may answer, and no database is asked; with one, the
 * account's passkeys may, or decoys where there is no such account.
 */
export async function startLogin(
  runtime: Runtime,
  actor: Actor,
  given: string | undefined,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  if (given === undefined) {
    return requestOptions(
      runtime.config,
      sealCeremony(runtime, actor, { kind: 'login', username: null }),
      [],
    );
  }
  const { username: canonical, problem } = canonicalUsername(given);
  // A name that nobody can have, of whatever length and form, stands for itself by its digest.
  const username =
    problem === 'invalid'
      ? `?${runtime.sealer.stableDigest('decoy', canonical).toString('base64url')}`
      : canonical;
  const challenge = sealCeremony(runtime, actor, { kind: 'login', username });
  return requestOptions(runtime.config, challenge, await allowedCredentials(runtime, username));
}

async function allowedCredentials(runtime: Runtime, username: string): Promise<CredentialDescriptor[]> {
  const listed = descriptorsFromRows(await runtime.db.query<AccountPasskeyRow>(selectOfUsername(username)));
  // Made in any case, so that a name with passkeys takes no less time than one without.
  const decoys = decoyCredentials(runtime.sealer, username);
  return listed.length > 0 ? listed : decoys;
}

export interface SignedIn extends OpenedSession {
  user: User;
}

/**
 * Finishes a login: the passkey's use, the new session, the end of the presented one and the audit row are one
 * statement.
 *
 * @throws AuthError `authentication_failed`, whatever the cause; with the reason `unknown_credential` where the account
 *   has the passkey no more
 */
export async function finishLogin(
  runtime: Runtime,
  actor: Actor,
  credential: AuthenticationResponseJSON,
): Promise<SignedIn> {
  const proof = await verifyAuthenticationCeremony(runtime, actor, credential, 'login');
  const { user, passkeyId, assertion } = proof;
  const token = newSessionToken();
  const entry = {
    event: 'passkey.login',
    outcome: 'success',
    target: { type: 'passkey', id: passkeyId, name: user.username },
  } as const;
  const opened = { userId: user.id, token, kind: 'full', method: 'passkey' } as const;
  const [row] = await runtime.db.query<SessionRow>(sql`
    with active as (${selectActive(user.id)}),
      used as (${recordUse(passkeyId, assertion, andExists('active'))}),
      replaced as (${deletePresented(actor, andExists('used'))}),
      session as (${insertSession(opened, actor, runtime.config, from('used'))}),
      entry as (${recordEvent(actor, entry, from('used'), user)})
    select * from session`);
  if (!row) return refuseOvertaken(runtime, actor, proof, 'passkey.login');
  return { user, session: sessionFromRow(row, row.session_id), token };
}
