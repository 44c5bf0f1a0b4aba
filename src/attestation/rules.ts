import {
  type AuthenticatorFacts,
  type AuthenticatorRequirements,
  certificationLevels,
} from '../core/authenticator-policy.ts';

/** Why an authenticator is not allowed. */
export type AuthenticatorObstacle =
  | 'model_compromised'
  | 'model_denied'
  | 'not_attested'
  | 'model_not_allowed'
  | 'not_certified'
  | 'not_device_bound'
  | 'refused_by_application';

/** Whether these requirements exclude any authenticator. */
export const restricts = (requirements: readonly AuthenticatorRequirements[]): boolean =>
  requirements.some((each) => Object.keys(each).length > 0);

/**
 * Returns the first requirement that the authenticator does not meet. Null: it meets all of them.
 *
 * A model with a security status is never allowed, even without requirements.
 */
export function obstacleTo(
  requirements: readonly AuthenticatorRequirements[],
  facts: AuthenticatorFacts,
): AuthenticatorObstacle | null {
  if (facts.statuses.length > 0) return 'model_compromised';
  for (const required of requirements) {
    const obstacle = obstacleToOne(required, facts);
    if (obstacle !== null) return obstacle;
  }
  return null;
}

function obstacleToOne(
  { allow, deny, requireAttestation = false, certified, deviceBound = false }: AuthenticatorRequirements,
  facts: AuthenticatorFacts,
): AuthenticatorObstacle | null {
  if (deny?.includes(facts.aaguid)) return 'model_denied';
  if ((requireAttestation || certified !== undefined) && !facts.attested) return 'not_attested';
  if (allow && !allow.includes(facts.aaguid)) return 'model_not_allowed';
  if (certified !== undefined && rankOf(facts.certification) < rankOf(certified)) return 'not_certified';
  if (deviceBound && !facts.deviceBound) return 'not_device_bound';
  return null;
}

/** -1: no certification. */
const rankOf = (level: AuthenticatorFacts['certification']): number =>
  level === null ? -1 : certificationLevels.indexOf(level);

const descriptions: Record<Exclude<AuthenticatorObstacle, 'refused_by_application'>, string> = {
  model_compromised: 'This model of authenticator has a known security problem. Use another one.',
  model_denied: 'This model of authenticator is not allowed here. Use another one.',
  not_attested:
    'The authenticator did not prove which model it is. Use a security key, and allow the browser to see its model.',
  model_not_allowed:
    'Only certain models of authenticators are allowed here. The operator of this site knows which ones.',
  not_certified: 'The authenticator needs a higher FIDO certification. Use a certified security key.',
  not_device_bound: 'The passkey must stay on one device. Use a security key.',
};

/** Says why an authenticator is not allowed, for the user. Undefined: the application has given the reason. */
export const describeObstacle = (obstacle: AuthenticatorObstacle): string | undefined =>
  obstacle === 'refused_by_application' ? undefined : descriptions[obstacle];

/** The obstacles in a few words, for a list of passkeys. */
export const shortDescriptions: Record<AuthenticatorObstacle, string> = {
  model_compromised: 'known security problem',
  model_denied: 'model not allowed',
  not_attested: 'model not proven',
  model_not_allowed: 'model not allowed',
  not_certified: 'FIDO certification too low',
  not_device_bound: 'can be synced',
  refused_by_application: 'refused by the application',
};
