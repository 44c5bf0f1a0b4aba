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
import { openSession } from '../../sessions/open-session.ts';
import { type OpenedSessionRow, openedFromRow } from '../../sessions/store/session-row.ts';
import { deletePresented, insertSession } from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { canonicalUsername, usernameLookup } from '../../users/rules.ts';
import { recordSignIn } from '../../users/store/sign-ins.ts';
import { selectActive } from '../../users/store.ts';
import type { UsernameLookup } from '../../users/username-lookup.ts';
import { sealCeremony } from '../ceremony.ts';
import { type CredentialDescriptor, decoyCredentials, decoyDigest } from '../decoys.ts';
import { requestOptions } from '../options.ts';
import { type AccountPasskeyRow, descriptorsFromRows, recordUse, selectOfUsername } from '../store.ts';
import { refuseAfterConflict, verifyAuthenticationCeremony } from './verify-authentication-ceremony.ts';

/**
 * Starts a sign-in. Without a username, the options allow any discoverable passkey, and the database is not read. With
 * a username, the options contain the account's passkeys. If the username has no passkeys, the options contain decoys,
 * so that the caller does not learn whether the account exists.
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
  const rule = runtime.config.usernames;
  // An invalid username can be long or contain control characters, so the challenge contains its digest instead.
  const { exact, canonical } = usernameLookup(given, rule);
  const username =
    canonical ||
    `?${decoyDigest(runtime.decoySecret, canonicalUsername(given, rule).username).toString('base64url')}`;
  // Contains both usernames, so that the length of the challenge does not reveal which account exists.
  const challenge = sealCeremony(runtime, actor, {
    kind: 'login',
    username,
    ...(exact !== canonical && { exact }),
  });
  const lookup = { exact: exact || username, canonical: username };
  return requestOptions(runtime.config, challenge, await allowedCredentials(runtime, lookup));
}

async function allowedCredentials(runtime: Runtime, lookup: UsernameLookup): Promise<CredentialDescriptor[]> {
  const stored = descriptorsFromRows(await runtime.db.query<AccountPasskeyRow>(selectOfUsername(lookup)));
  // Decoys are always computed, so that the response time does not reveal whether the username has passkeys.
  const decoys = decoyCredentials(runtime.decoySecret, lookup.canonical);
  return stored.length > 0 ? stored : decoys;
}

export interface SignedIn extends OpenedSession {
  user: User;
}

/**
 * Finishes a sign-in. One statement records the use of the passkey, opens the new session, ends the caller's previous
 * session and records the audit event.
 *
 * @throws AuthError `account_disabled` if the assertion is valid, but the account is disabled
 * @throws AuthError `authentication_failed` for every other cause. The error has the reason `unknown_credential` if the
 *   account no longer has the passkey.
 */
export async function finishLogin(
  runtime: Runtime,
  actor: Actor,
  credential: AuthenticationResponseJSON,
): Promise<SignedIn> {
  const verified = await verifyAuthenticationCeremony(runtime, actor, credential, 'login');
  const { user, passkeyId, assertion } = verified;
  const token = newSessionToken();
  const entry = {
    event: 'passkey.login',
    outcome: 'success',
    target: { type: 'passkey', id: passkeyId, name: user.username },
  } as const;
  const opened = { user, token, kind: 'full', method: 'passkey', passkeyId } as const;
  const row = await openSession<OpenedSessionRow>(
    runtime,
    actor,
    user,
    (room) => sql`
    with room as (${room.check}),
      active as (${selectActive(user.id, andExists('room'))}),
      used as (${recordUse(passkeyId, assertion, actor, andExists('active'))}),
      ${room.make('used')}
      replaced as (${deletePresented(actor, andExists('used'))}),
      session as (${insertSession(opened, actor, runtime.config, from('used'))}),
      signed_in as (${recordSignIn(user.id, opened.method, actor, 'session')}),
      entry as (${recordEvent(actor, entry, from('used'), user)})
    select * from session`,
  );
  if (!row) return refuseAfterConflict(runtime, actor, verified, 'passkey.login');
  return { user, ...openedFromRow(row, token) };
}
