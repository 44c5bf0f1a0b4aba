import {
  type AuthenticatorObstacle,
  describeObstacle,
  obstacleTo,
  restricts,
} from '../../attestation/rules.ts';
import { refuse } from '../../audit/operations/refuse.ts';
import type { Actor } from '../../core/actor.ts';
import type {
  AuthenticatorFacts,
  AuthenticatorQuestion,
  CertificationLevel,
} from '../../core/authenticator-policy.ts';
import { second } from '../../core/duration.ts';
import type { Runtime } from '../../core/runtime.ts';
import type { Role } from '../../core/user.ts';
import { authenticatorName } from '../authenticator-names.ts';
import type { RefusedCeremony } from '../refusal.ts';

type Policy = Pick<Runtime, 'config' | 'metadata' | 'log'>;

/** What the service stores about the authenticator of a passkey. */
export interface PasskeyOfModel {
  aaguid: string;
  transports: readonly string[];
  /** Null: unknown, because the passkey was imported and not used yet. Counts as eligible. */
  backupEligible: boolean | null;
  /** Null: the service requested no attestation. */
  attestation: {
    format: string;
    attested: boolean;
    certification: CertificationLevel | null;
    /** The security statuses of the model at registration. Not stored. */
    statuses?: readonly string[];
  } | null;
}

/** Why a passkey is not allowed, with the text for the user. */
export interface FoundObstacle {
  reason: AuthenticatorObstacle;
  /** Undefined: the text of the error code. */
  message: string | undefined;
}

const decisionMs = 5 * second;
const maxReasonLength = 200;

/**
 * Compares a passkey with the requirements of a role, and then asks `authenticators.decide`.
 *
 * @returns null if the passkey is allowed
 */
export async function findObstacle(
  policy: Policy,
  passkey: PasskeyOfModel,
  role: Role,
  occasion: AuthenticatorQuestion['occasion'],
): Promise<FoundObstacle | null> {
  const { requirements, decide } = policy.config.authenticators;
  await policy.metadata?.ready();
  const facts = factsOf(policy, passkey);
  const reason = obstacleTo(requirements[role], facts);
  if (reason !== null) return { reason, message: describeObstacle(reason) };
  if (decide == null) return null;
  const refused = await askApplication(policy, { ...facts, role, occasion });
  return refused === null ? null : { reason: 'refused_by_application', message: refused || undefined };
}

/** Whether any passkey can be refused for this role. */
export const hasPolicy = ({ config, metadata }: Policy, role: Role): boolean =>
  metadata !== null ||
  config.authenticators.decide !== null ||
  restricts(config.authenticators.requirements[role]);

/** Reads the status and the certification from the current metadata, because both can change. */
function factsOf(
  { metadata }: Policy,
  { aaguid, transports, backupEligible, attestation }: PasskeyOfModel,
): AuthenticatorFacts {
  const model = metadata?.modelOf(aaguid) ?? null;
  const attested = attestation?.attested ?? false;
  return {
    aaguid,
    name: model?.name ?? authenticatorName(aaguid),
    attested,
    format: attestation?.format ?? null,
    certification: attested ? (model ? model.certification : (attestation?.certification ?? null)) : null,
    // A U2F authenticator has no AAGUID, so only its attestation tells the model.
    statuses: model?.statuses ?? attestation?.statuses ?? [],
    deviceBound: backupEligible === false,
    transports,
  };
}

/**
 * Calls `authenticators.decide`.
 *
 * @returns null if the application allows the authenticator. Otherwise the text for the user, which is empty if the
 *   function failed.
 */
async function askApplication(
  { config, log }: Policy,
  question: AuthenticatorQuestion,
): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${decisionMs / second} s`)), decisionMs);
  });
  try {
    const { decide } = config.authenticators;
    const answer: unknown = await Promise.race([decide?.(Object.freeze(question)), timeout]);
    if (answer === undefined || answer === null) return null;
    const { refuse: reason } = answer as { refuse?: unknown };
    if (typeof reason === 'string' && reason.trim() !== '' && reason.length <= maxReasonLength) return reason;
    throw new TypeError(
      `authenticators.decide: expected nothing, or { refuse: 'a reason of 1 to ${maxReasonLength} characters' }`,
    );
  } catch (error) {
    log.error({ err: error }, 'authenticators.decide failed, so the authenticator was refused');
    return '';
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Refuses a new passkey that the policy does not allow for the role of its account. The statement that stores the passkey
 * must require that the role is unchanged.
 *
 * @throws AuthError `authenticator_not_allowed`
 */
export async function requireAllowed(
  runtime: Runtime,
  actor: Actor,
  passkey: PasskeyOfModel,
  role: Role,
  attempt: Pick<RefusedCeremony, 'event' | 'target'>,
): Promise<void> {
  const obstacle = await findObstacle(runtime, passkey, role, 'registration');
  if (obstacle === null) return;
  const refusal = refusalOf(obstacle);
  const isOfApplication = obstacle.reason === 'refused_by_application';
  const message = isOfApplication ? refusal.message : `${refusal.message} ${deleteThere}`;
  await refuse(runtime, actor, { ...attempt, ...refusal, message });
}

/** The device keeps a passkey that the service refuses, except in browsers with the signal methods. */
export const deleteThere = 'If the device saved the passkey, delete it there.';

/** The refusal of a passkey that the policy does not allow. */
export const refusalOf = ({ reason, message }: FoundObstacle) =>
  ({ code: 'authenticator_not_allowed', reason, publicReason: reason, message }) as const;
