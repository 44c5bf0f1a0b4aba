import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { v7 as uuid } from 'uuid';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { andExists, from, sql } from '../../db/database.ts';
import { deleteCodesOfOtherRecoveries, deleteLink } from '../../recovery/store.ts';
import type { OpenedSession } from '../../sessions/session.ts';
import {
  deleteSessionsBut,
  insertSession,
  lockLiveSession,
  type SessionRow,
  selectLiveSession,
  sessionFromRow,
} from '../../sessions/store.ts';
import { newSessionToken } from '../../sessions/token.ts';
import { onCurrentVersion, overtaken } from '../../users/current-version.ts';
import { claimVersion, moveVersion, selectUser } from '../../users/store.ts';
import { authenticatorName } from '../authenticator-names.ts';
import { sealCeremony } from '../ceremony.ts';
import { creationOptions } from '../options.ts';
import type { Passkey } from '../passkey.ts';
import type { RefusedCeremony } from '../refusal.ts';
import { labelFor, mayUpgrade } from '../rules.ts';
import {
  type AccountPasskeyRow,
  insertPasskey,
  listedFromRows,
  type NewPasskey,
  type PasskeyRow,
  passkeyFromRow,
  selectOfAccount,
} from '../store.ts';
import {
  proveRegistration,
  type RegistrationFinish,
  refuseRegistration,
  takenMeanwhile,
  targetOf,
} from './prove-registration.ts';

/**
 * Begins adding a passkey; the ones the account has are excluded, so that no device registers twice.
 *
 * @param conditional without a prompt, in a session that was opened with a password
 * @throws AuthError `not_authenticated` where the account has just gone | `recovery_session` | `forbidden`
 */
export async function startAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
  { conditional = false } = {},
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  if (conditional && !mayUpgrade(actor.session))
    throw new AuthError(actor.session.kind === 'recovery' ? 'recovery_session' : 'forbidden');
  const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(actor.user.id));
  const [account] = rows;
  if (!account) throw new AuthError('not_authenticated');
  const kind = conditional ? 'upgrade' : 'add';
  const challenge = sealCeremony(runtime, actor, { kind, userId: actor.user.id });
  const person = { ...actor.user, userHandle: account.user_handle };
  const userVerification = conditional ? 'preferred' : 'required';
  return creationOptions(runtime.config, challenge, person, listedFromRows(rows), userVerification);
}

/** A passkey that was added, and the session that it opened where it has completed a recovery. */
export interface AddedPasskey {
  passkey: Passkey;
  opened: OpenedSession | null;
}

/**
 * Finishes adding a passkey, if the session still lives when it is stored. In a recovery session this completes the
 * recovery.
 *
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `not_authenticated`
 */
export async function finishAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
): Promise<AddedPasskey> {
  const { ceremony, registration } = await proveRegistration(runtime, actor, finish, 'add', 'upgrade');
  const refuseWith = (reason: RefusedCeremony['reason']) =>
    refuseRegistration(runtime, actor, 'add', { reason }, targetOf(ceremony));
  if (ceremony.userId !== actor.user.id) return refuseWith('challenge_of_another_user');
  const conditional = ceremony.kind === 'upgrade';
  // Asked again: the same browser may have begun a recovery since, which nobody completes without being there.
  if (conditional && !mayUpgrade(actor.session)) return refuseWith('session_not_by_password');

  const label = labelFor(finish.label, authenticatorName(registration.aaguid));
  const passkey = { id: uuid(), userId: actor.user.id, label, conditional, ...registration };
  const store = actor.session.kind === 'recovery' ? completeRecovery : storePasskey;
  try {
    const added = await store(runtime, actor, passkey);
    if (added) return added;
  } catch (error) {
    const reason = takenMeanwhile(error);
    if (reason === null) throw error;
    return refuseWith(reason);
  }
  throw new AuthError('not_authenticated');
}

interface Addition extends NewPasskey {
  /** Whether it came about without a prompt. */
  conditional: boolean;
}

const additionOf = ({ id, label, aaguid, conditional }: Addition) =>
  ({
    event: 'passkey.add',
    outcome: 'success',
    target: { type: 'passkey', id, name: label },
    details: { aaguid, ...(conditional && { conditional }) },
  }) as const;

/** The account's version moves, so that whoever deletes the account at the same moment deletes this passkey, too. */
async function storePasskey(
  runtime: Runtime,
  actor: SignedInActor,
  passkey: Addition,
): Promise<AddedPasskey | null> {
  const [row] = await runtime.db.query<PasskeyRow>(sql`
    with live as (${selectLiveSession(actor.session.id)}),
      active as (${moveVersion(actor.user.id, andExists('live'))}),
      passkey as (${insertPasskey(passkey, from('active'))}),
      entry as (${recordEvent(actor, additionOf(passkey), from('passkey'))})
    select * from passkey`);
  return row ? { passkey: passkeyFromRow(row), opened: null } : null;
}

/**
 * Stores the passkey that a recovery was for: every session of the account ends, the recovery's own among them, a
 * full one opens. A recovery link that is still about is void, and so are codes that were made in another recovery: by
 * whoever was in with a stolen one. It happens to a version of the account, so that no session which another recovery
 * opens at the same moment is overlooked.
 */
async function completeRecovery(
  runtime: Runtime,
  actor: SignedInActor,
  passkey: Addition,
): Promise<AddedPasskey | null> {
  const { user, session } = actor;
  const token = newSessionToken();
  const opened = { userId: user.id, token, kind: 'full', method: 'passkey' } as const;
  const completion = {
    event: 'recovery.complete',
    outcome: 'success',
    target: { type: 'user', id: user.id, name: user.username },
    details: { method: session.method },
  } as const;
  return onCurrentVersion(async () => {
    const [account] = await runtime.db.query<{ version: number }>(selectUser(user.id));
    if (!account) return null;
    const [row] = await runtime.db.query<PasskeyRow & SessionRow>(sql`
      with known as (${selectLiveSession(session.id)}),
        claimed as (${claimVersion(user.id, account.version, andExists('known'))}),
        live as (${lockLiveSession(session.id, andExists('claimed'))}),
        passkey as (${insertPasskey(passkey, from('live'))}),
        ended as (${deleteSessionsBut(token, user.id, andExists('passkey'))}),
        voided_link as (${deleteLink(user.id, andExists('passkey'))}),
        voided_codes as (${deleteCodesOfOtherRecoveries(user.id, session.id, andExists('passkey'))}),
        session as (${insertSession(opened, actor, runtime.config, from('passkey'))}),
        addition as (${recordEvent(actor, additionOf(passkey), from('passkey'))}),
        completion as (${recordEvent(actor, completion, from('passkey'))})
      select session.*, passkey.* from known left join session on true left join passkey on true`);
    if (!row) return null;
    if (!row.passkey_id) return overtaken;
    return { passkey: passkeyFromRow(row), opened: { session: sessionFromRow(row, row.session_id), token } };
  });
}
