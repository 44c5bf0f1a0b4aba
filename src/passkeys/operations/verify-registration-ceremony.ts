import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import type { AuditTarget } from '../../audit/event-names.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import type { Actor } from '../../core/actor.ts';
import type { ErrorCode } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { violatesUnique } from '../../db/sql-states.ts';
import { type Ceremony, type CeremonyOf, openCeremony } from '../ceremony.ts';
import { type RefusedCeremony, refusalReason } from '../refusal.ts';
import { spendAndFindCredential } from '../store.ts';
import { type VerifiedRegistration, verifyRegistration } from '../verify-registration.ts';
import { deleteThere } from './check-authenticator.ts';

/** What a browser sends at the end of a registration ceremony. */
export interface RegistrationFinish {
  credential: RegistrationResponseJSON;
  /** The label that the user chose for the passkey. Default: see `chooseLabel`. */
  label?: string | undefined;
}

export type RegistrationKind = 'signup' | 'add' | 'upgrade';

export interface VerifiedRegistrationCeremony<Kind extends RegistrationKind> {
  ceremony: CeremonyOf<Kind>;
  registration: VerifiedRegistration;
}

/**
 * Verifies a registration ceremony (WebAuthn Level 3, section 7.1). Before the verification, one round trip spends the
 * challenge and checks whether the credential is already stored.
 *
 * @param kinds the accepted kinds of ceremony; the challenge contains the kind
 * @throws AuthError `registration_failed` | `passkey_already_registered`
 */
export async function verifyRegistrationCeremony<Kind extends RegistrationKind>(
  runtime: Runtime,
  actor: Actor,
  { credential }: RegistrationFinish,
  ...kinds: [Kind, ...Kind[]]
): Promise<VerifiedRegistrationCeremony<Kind>> {
  const refuseWith = (refusal: Pick<RefusedCeremony, 'reason' | 'cause'>, target?: AuditTarget) =>
    refuseRegistration(runtime, actor, kinds[0], refusal, target);

  const opened = openCeremony(runtime, actor, credential.response.clientDataJSON, kinds);
  if (opened.nonce === null) return refuseWith({ reason: opened.mismatch });
  const [state] = await runtime.db.query<{ nonce: string | null; known_passkey_id: string | null }>(
    spendAndFindCredential(opened.nonce, credential.id),
  );
  if (!state?.nonce) return refuseWith({ reason: 'challenge_spent' });
  if (opened.mismatch) return refuseWith({ reason: opened.mismatch });

  const { ceremony, clientData } = opened;
  const { kind }: Ceremony = ceremony;
  try {
    const registration = await verifyRegistration(credential, clientData, runtime, kind !== 'upgrade');
    // Step 26. A unique constraint repeats the check when the passkey is stored.
    if (!state.known_passkey_id) return { ceremony, registration };
  } catch (error) {
    return refuseWith(refusalReason(error), targetOf(ceremony));
  }
  return refuseWith({ reason: 'passkey_already_registered' }, targetOf(ceremony));
}

/** Refuses a failed registration. The response contains the reason only if the reason is one of `publicReasons`. */
export function refuseRegistration(
  runtime: Runtime,
  actor: Actor,
  kind: RegistrationKind,
  { reason, cause }: Pick<RefusedCeremony, 'reason' | 'cause'>,
  target?: AuditTarget,
): Promise<never> {
  const event = kind === 'signup' ? 'account.signup' : 'passkey.add';
  return refuse(runtime, actor, {
    event,
    code: codeFor(reason),
    reason,
    publicReason: ['look_alike', 'attestation_untrusted'].includes(reason) ? reason : undefined,
    message: reason === 'attestation_untrusted' ? untrusted : undefined,
    cause,
    target,
  });
}

const untrusted = `The attestation of the authenticator cannot be trusted. Use another one. ${deleteThere}`;

const publicReasons = ['username_unacceptable', 'username_taken', 'passkey_already_registered'] as const;
const isPublicReason = (reason: string): reason is (typeof publicReasons)[number] =>
  publicReasons.some((publicReason) => publicReason === reason);

const codeFor = (reason: RefusedCeremony['reason']): ErrorCode => {
  if (reason === 'look_alike') return 'username_unacceptable';
  if (reason === 'attestation_untrusted') return 'authenticator_not_allowed';
  return isPublicReason(reason) ? reason : 'registration_failed';
};

/** Returns which unique value already exists. Null for any other error. `look_alike`: the skeleton of the username. */
export function conflictReason(
  error: unknown,
): 'username_taken' | 'look_alike' | 'passkey_already_registered' | null {
  if (violatesUnique(error, 'username')) return 'username_taken';
  if (violatesUnique(error, 'skeleton')) return 'look_alike';
  return violatesUnique(error, 'credential_id') ? 'passkey_already_registered' : null;
}

export const targetOf = (ceremony: CeremonyOf<RegistrationKind>): AuditTarget =>
  ceremony.kind === 'signup'
    ? { type: 'user', id: null, name: ceremony.username }
    : { type: 'user', id: ceremony.userId, name: null };
