import { v7 as uuid } from 'uuid';
import type { SignedInActor } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { chooseLabel } from '../default-label.ts';
import type { RefusedCeremony } from '../refusal.ts';
import { mayUpgrade } from '../rules.ts';
import type { NewPasskey } from '../store.ts';
import {
  conflictReason,
  type RegistrationFinish,
  refuseRegistration,
  targetOf,
  verifyRegistrationCeremony,
} from './verify-registration-ceremony.ts';

/** A new passkey that is verified but not stored yet. */
export interface Addition extends NewPasskey {
  /** Whether the browser created it without a prompt. */
  conditional: boolean;
  /** As in `NewlyAddedPasskey`. */
  hasDefaultLabel: boolean;
}

/**
 * Verifies a registration for the actor's account, and stores the new passkey with `store`.
 *
 * @param store returns null if the session has ended
 * @throws AuthError `registration_failed` | `passkey_already_registered` | `not_authenticated`
 */
export async function addVerifiedPasskey<Added>(
  runtime: Runtime,
  actor: SignedInActor,
  finish: RegistrationFinish,
  store: (passkey: Addition) => Promise<Added | null>,
): Promise<Added> {
  const { ceremony, registration } = await verifyRegistrationCeremony(
    runtime,
    actor,
    finish,
    'add',
    'upgrade',
  );
  const refuseWith = (reason: RefusedCeremony['reason']) =>
    refuseRegistration(runtime, actor, 'add', { reason }, targetOf(ceremony));
  if (ceremony.userId !== actor.user.id) return refuseWith('challenge_of_another_user');
  const conditional = ceremony.kind === 'upgrade';
  // Checked again, because the session can change between start and finish. The check also rejects every recovery
  // session, because completing a recovery requires user presence.
  if (conditional && !mayUpgrade(actor.session)) return refuseWith('session_not_by_password');

  const chosen = chooseLabel(finish.label, registration, finish.credential, actor);
  try {
    const added = await store({ id: uuid(), userId: actor.user.id, ...chosen, conditional, ...registration });
    if (added) return added;
  } catch (error) {
    const reason = conflictReason(error);
    if (reason === null) throw error;
    return refuseWith(reason);
  }
  throw new AuthError('not_authenticated');
}

/** The audit event of an added passkey. */
export const additionEntry = ({ id, label, aaguid, conditional }: Addition) =>
  ({
    event: 'passkey.add',
    outcome: 'success',
    target: { type: 'passkey', id, name: label },
    details: { aaguid, ...(conditional && { conditional }) },
  }) as const;
