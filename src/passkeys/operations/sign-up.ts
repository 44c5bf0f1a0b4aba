import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { v7 as uuid } from 'uuid';
import { recordEvent } from '../../audit/store.ts';
import type { Actor } from '../../core/actor.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { OpenedSession } from '../../core/session.ts';
import { lowestRole, type User } from '../../core/user.ts';
import { sql } from '../../db/sql.ts';
import { retryVersionConflicts } from '../../db/version-conflict.ts';
import {
  deletePresented,
  insertSession,
  type OpenedSessionRow,
  openedFromRow,
} from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { assertUsernameAllowed, findUsernameConflict } from '../../users/operations.ts';
import { canonicalUsername } from '../../users/rules.ts';
import { retryIfSkeletonTaken } from '../../users/skeleton-conflict.ts';
import { insertUser, type UserRow, userFromRow } from '../../users/store.ts';
import { newUserHandle } from '../../users/user-handle.ts';
import { authenticatorName } from '../authenticator-names.ts';
import { type CeremonyOf, sealCeremony } from '../ceremony.ts';
import { creationOptions } from '../options.ts';
import type { Passkey } from '../passkey.ts';
import { labelFor } from '../rules.ts';
import { insertPasskey, type PasskeyRow, passkeyFromRow } from '../store.ts';
import type { VerifiedRegistration } from '../verify-registration.ts';
import {
  conflictReason,
  type RegistrationFinish,
  refuseRegistration,
  targetOf,
  verifyRegistrationCeremony,
} from './verify-registration-ceremony.ts';

export interface SignUpStart {
  username: string;
  displayName?: string | undefined;
  /** The own fields that users can write. */
  fields?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Starts a sign-up: returns the options for the first passkey. Stores nothing and does not reserve the username.
 *
 * @throws AuthError `invalid_request` for invalid fields | `username_unacceptable` | `username_taken`
 */
export async function startSignUp(
  runtime: Runtime,
  actor: Actor,
  { username: given, displayName, fields = {} }: SignUpStart,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const checked = await runtime.fields.checkSignUp(fields);
  const username = await assertUsernameAllowed(runtime, given, null);
  const newUser = {
    username,
    displayName: displayName ?? null,
    userHandle: newUserHandle(),
  };
  const own = Object.keys(checked).length > 0 ? { fields: checked } : {};
  const challenge = sealCeremony(runtime, actor, { kind: 'signup', ...newUser, ...own });
  return creationOptions(runtime.config, challenge, newUser, []);
}

export interface SignedUp extends OpenedSession {
  user: User;
  passkey: Passkey;
}

/**
 * Finishes a sign-up. One statement creates the account, the passkey, the session and the audit event.
 *
 * Checks the username in the challenge again, for two reasons. An attacker with a stolen secret can forge a challenge.
 * And during a rolling upgrade, an older process with other username rules can create a challenge.
 *
 * @throws AuthError `registration_failed` | `username_unacceptable` | `username_taken` | `passkey_already_registered`
 */
export async function finishSignUp(
  runtime: Runtime,
  actor: Actor,
  finish: RegistrationFinish,
): Promise<SignedUp> {
  const { ceremony, registration } = await verifyRegistrationCeremony(runtime, actor, finish, 'signup');
  const { username, problem } = canonicalUsername(ceremony.username, runtime.config.usernames);
  if (problem !== null || username !== ceremony.username) {
    // An invalid username can contain control characters, so the audit log does not record it.
    const target = { type: 'user', id: null, name: problem === 'invalid' ? null : username } as const;
    return refuseRegistration(runtime, actor, 'signup', { reason: 'username_unacceptable' }, target);
  }
  const create = () => createAccount(runtime, actor, ceremony, registration, finish.label);
  const createBesideLookAlikes = () => retryVersionConflicts(() => create().catch(retryIfSkeletonTaken));
  try {
    return await (runtime.config.lookAlikes === 'refuse' ? create() : createBesideLookAlikes());
  } catch (error) {
    const reason = conflictReason(error);
    if (reason === null) throw error;
    // If an account has the same username, its skeleton is the same, too. PostgreSQL can report either
    // conflict.
    const isTaken = reason === 'look_alike' && (await findUsernameConflict(runtime, username)) === 'taken';
    const refused = { reason: isTaken ? 'username_taken' : reason } as const;
    return refuseRegistration(runtime, actor, 'signup', refused, targetOf(ceremony));
  }
}

async function createAccount(
  runtime: Runtime,
  actor: Actor,
  { fields, ...newUser }: Omit<CeremonyOf<'signup'>, 'kind'>,
  registration: VerifiedRegistration,
  label: string | undefined,
): Promise<SignedUp> {
  const userId = uuid();
  const passkey = {
    id: uuid(),
    userId,
    label: labelFor(label, authenticatorName(registration.aaguid)),
    ...registration,
  };
  const token = newSessionToken();
  const opened = { user: { id: userId, role: lowestRole }, token, kind: 'full', method: 'passkey' } as const;
  const entry = {
    event: 'account.signup',
    outcome: 'success',
    target: { type: 'user', id: userId, name: newUser.username },
    details: { passkeyId: passkey.id, aaguid: passkey.aaguid },
  } as const;
  // `account` must be last in the `from` list, because pg-mem starts at the end of the list and checks foreign keys
  // immediately.
  const [row] = await runtime.db.query<UserRow & PasskeyRow & OpenedSessionRow>(sql`
    with account as (${insertUser({ id: userId, ...newUser, fields: runtime.fields.onlyOfUser(fields ?? {}), lookAlikes: runtime.config.lookAlikes })}),
      passkey as (${insertPasskey(passkey)}),
      replaced as (${deletePresented(actor)}),
      session as (${insertSession(opened, actor, runtime.config)}),
      entry as (${recordEvent(actor, entry, undefined, { id: userId, username: newUser.username })})
    select * from session, passkey, account`);
  if (!row) throw new Error('the sign-up statement returned no row');
  return {
    user: userFromRow(row),
    passkey: passkeyFromRow(row),
    ...openedFromRow(row, token),
  };
}
