import { AuthError, ConfigurationError, type ErrorCode, readConfiguration } from 'latchkey';
import { allFeatures, type Feature, type Features, featuresOf } from './features.ts';
import { configuredOptions, environment } from './settings.ts';

const variables = ['ORGANIZATIONS', 'IMPERSONATION', 'ADMIN_INVITATIONS', 'SIGN_UP', 'WEBHOOKS'] as const;

/**
 * Reads the features that the service would have. Reads no other settings, so a missing or invalid other setting causes
 * no error.
 *
 * @throws ConfigurationError for an invalid value of an option or variable that switches a feature off
 */
export function configuredFeatures(): Features {
  const { organizations, impersonation, adminInvitations, signUp, webhooks } = configuredOptions();
  const given = { organizations, impersonation, adminInvitations, signUp, webhooks };
  const config = readConfiguration({
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    env: Object.fromEntries(variables.map((name) => [name, environment()[name]])),
    // Without a secret, `readConfiguration` would create the development secret in a file.
    secret: 'unused',
    database: {},
  });
  return featuresOf(config);
}

/**
 * Like `configuredFeatures`. If a value is invalid, returns all features, because the command itself reports the value.
 */
export function featuresOrAll(): Features {
  try {
    return configuredFeatures();
  } catch (error) {
    if (error instanceof ConfigurationError) return allFeatures;
    throw error;
  }
}

/** Why a feature is switched off, and how to switch it on. */
interface SwitchedOff {
  message: string;
  nextStep: string;
}

const reasons: Record<Exclude<Feature, 'invitations'>, () => SwitchedOff> = {
  organizations: () =>
    configuredOptions().organizations === false
      ? inFile('Organizations are', 'organizations: false')
      : inVariable('Organizations are', 'ORGANIZATIONS=off', 'ORGANIZATIONS=on'),
  webhooks: () =>
    configuredOptions().webhooks === false
      ? inFile('Webhooks are', 'webhooks: false')
      : inVariable('Webhooks are', 'WEBHOOKS=off', 'WEBHOOKS=on'),
  adminInvitations: () =>
    configuredOptions().adminInvitations === false
      ? inFile('Admin invitations are', 'adminInvitations: false')
      : inVariable('Admin invitations are', 'ADMIN_INVITATIONS=off', 'ADMIN_INVITATIONS=on'),
  userInvitations: () =>
    configuredOptions().signUp?.mode === 'closed'
      ? inFile('Sign-up and user invitations are', "signUp: { mode: 'closed' }")
      : inVariable('Sign-up and user invitations are', 'SIGN_UP=closed', 'SIGN_UP=invitation'),
  impersonation: () => {
    if (configuredOptions().impersonation === false) {
      const nextStep = 'To switch it on, set `impersonation: true` in the configuration file.';
      return { ...inFile('Impersonation is', 'impersonation: false'), nextStep };
    }
    const given = environment().IMPERSONATION?.trim();
    const setting = given ? 'IMPERSONATION=off' : 'IMPERSONATION is not set';
    return inVariable('Impersonation is', setting, 'IMPERSONATION=on');
  },
};

const inVariable = (subject: string, setting: string, on: string): SwitchedOff => ({
  message: `${subject} switched off (${setting}).`,
  nextStep: `To switch ${subject.endsWith(' is') ? 'it' : 'them'} on, set ${on}.`,
});

const inFile = (subject: string, option: string): SwitchedOff => ({
  message: `${subject} switched off (${option} in the configuration file).`,
  nextStep: `To switch them on, remove \`${option}\` from the configuration file.`,
});

/** Explains why a feature is switched off. Null: the feature is on. */
export function switchedOff(feature: Feature, features: Features): SwitchedOff | null {
  if (features[feature]) return null;
  if (feature !== 'invitations') return reasons[feature]();
  const both = [reasons.adminInvitations(), reasons.userInvitations()];
  return {
    message: both.map(({ message }) => message).join(' '),
    nextStep: both.map(({ nextStep }) => nextStep).join(' '),
  };
}

/**
 * For commands that the service accepts even while their feature is switched off.
 *
 * @throws AuthError `feature_disabled` that names the setting
 */
export function requireFeature(feature: Feature): void {
  const off = switchedOff(feature, featuresOrAll());
  if (off) throw new AuthError('feature_disabled', off);
}

/**
 * Replaces the error of the service with an error that names the setting. The service has already recorded the attempt.
 * For `catch`.
 *
 * @throws the error
 */
export const nameSetting =
  (feature: Feature) =>
  (error: unknown): never => {
    if (!(error instanceof AuthError) || !refusals.includes(error.code)) throw error;
    const off = switchedOff(feature, featuresOrAll());
    throw off ? new AuthError(error.code, off) : error;
  };

const refusals: readonly ErrorCode[] = ['feature_disabled', 'sign_up_closed'];
