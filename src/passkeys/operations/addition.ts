import { v7 as uuid } from 'uuid';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { authenticatorName } from '../authenticator-names.ts';
import type { RefusedCeremony } from '../refusal.ts';
import { labelFor, mayUpgrade } from '../rules.ts';
import type { NewPasskey } from '../store.ts';
import {
  verifyRegistrationCeremony,
  type RegistrationFinish,
  refuseRegistration,
  conflictReason,
  targetOf,
} from './prove-registration.ts';

/** A proven passkey that is about to be stored in the caller's account. */
export interface Addition extends NewPasskey {
  /** Whether the browser made it without a prompt. */
  conditional: boolean;
}

/**
 * Proves a passkey for the caller's account and hands it on to be stored.
 *
 * @param store returns null where the caller's session has just ended
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `not_authenticated`
 */
export async function addVerifiedPasskey<Added>(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
  store: (passkey: Addition) => Promise<Added | null>,
): Promise<Added> {
  const { ceremony, registration } = await verifyRegistrationCeremony(runtime, actor, finish, 'add', 'upgrade');
  const refuseWith = (reason: RefusedCeremony['reason']) =>
    refuseRegistration(runtime, actor, 'add', { reason }, targetOf(ceremony));
  if (ceremony.userId !== actor.user.id) return refuseWith('challenge_of_another_user');
  const conditional = ceremony.kind === 'upgrade';
  // Checked again: the browser may have started a recovery since. Completing one requires user presence.
  if (conditional && !mayUpgrade(actor.session)) return refuseWith('session_not_by_password');

  const label = labelFor(finish.label, authenticatorName(registration.aaguid));
  try {
    const added = await store({ id: uuid(), userId: actor.user.id, label, conditional, ...registration });
    if (added) return added;
  } catch (error) {
    const reason = conflictReason(error);
    if (reason === null) throw error;
    return refuseWith(reason);
  }
  throw new AuthError('not_authenticated');
}

/** The audit entry of an added passkey. */
export const additionEntry = ({ id, label, aaguid, conditional }: Addition) =>
  ({
    event: 'passkey.add',
    outcome: 'success',
    target: { type: 'passkey', id, name: label },
    details: { aaguid, ...(conditional && { conditional }) },
  }) as const;
