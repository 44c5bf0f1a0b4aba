import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/server';
import { v7 as uuid } from 'uuid';
import { recordEvent } from '../../audit/store.ts';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { from, sql } from '../../db/database.ts';
import { selectLiveSession } from '../../sessions/store.ts';
import { authenticatorName } from '../authenticator-names.ts';
import { sealCeremony } from '../ceremony.ts';
import { creationOptions } from '../options.ts';
import type { Passkey } from '../passkey.ts';
import { labelFor } from '../rules.ts';
import {
  type AccountPasskeyRow,
  insertPasskey,
  listedFromRows,
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
import type { Refusal } from './refuse.ts';

/** Begins adding a passkey; the ones the account has are excluded, so that no device registers twice. */
export async function startAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const rows = await runtime.db.query<AccountPasskeyRow>(selectOfAccount(actor.user.id));
  const [account] = rows;
  if (!account) throw new AuthError('not_authenticated');
  const challenge = sealCeremony(runtime, actor, { kind: 'add', userId: actor.user.id });
  const person = { ...actor.user, userHandle: account.user_handle };
  return creationOptions(runtime.config, challenge, person, listedFromRows(rows));
}

/**
 * Finishes adding a passkey, if the session still lives when it is stored.
 *
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `not_authenticated`
 */
export async function finishAddPasskey(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
): Promise<Passkey> {
  const { ceremony, registration } = await proveRegistration(runtime, actor, finish, 'add');
  const refuseWith = (reason: Refusal['reason']) =>
    refuseRegistration(runtime, actor, 'add', { reason }, targetOf(ceremony));
  if (ceremony.userId !== actor.user.id) return refuseWith('challenge_of_another_user');

  const label = labelFor(finish.label, authenticatorName(registration.aaguid));
  const passkey = { id: uuid(), userId: actor.user.id, label, ...registration };
  const target = { type: 'passkey', id: passkey.id, name: label } as const;
  const details = { aaguid: passkey.aaguid };
  try {
    const [row] = await runtime.db.query<PasskeyRow>(sql`
      with live as (${selectLiveSession(actor.session.id)}),
        passkey as (${insertPasskey(passkey, from('live'))}),
        entry as (${recordEvent(actor, { event: 'passkey.add', outcome: 'success', target, details }, from('passkey'))})
      select * from passkey`);
    if (row) return passkeyFromRow(row);
  } catch (error) {
    const reason = takenMeanwhile(error);
    if (reason === null) throw error;
    return refuseWith(reason);
  }
  throw new AuthError('not_authenticated');
}
