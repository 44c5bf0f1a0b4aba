import type { FaultList, Given } from './config-fault.ts';
import { readChoice, readSwitch } from './config-values.ts';
import { type SignUpMode, type SignUpOptions, signUpModes } from './sign-up.ts';

/** The checked settings of the option `signUp`. Its functions are not part of the configuration. */
interface SignUpSettings {
  readonly signUpMode: SignUpMode;
  readonly signUpOrganizationInvitations: boolean;
}

/** The texts of the environment variables. */
interface GivenSignUp {
  mode: string | undefined;
  organizationInvitations: string | undefined;
  /** The setting that switches organizations off. Null: the service has organizations. */
  withoutOrganizations: string | null;
}

/** Reads the option `signUp`. */
export const readSignUp = (
  faults: FaultList,
  option: SignUpOptions | undefined,
  given: GivenSignUp,
): SignUpSettings => ({
  signUpMode: readChoice(faults, givenMode(option, given.mode), signUpModes),
  signUpOrganizationInvitations: readOrganizationInvitations(faults, option, given),
});

/**
 * Rejects `{ mode: undefined }`. Otherwise, a mode from a misspelled name in the code would be `open`, the default.
 */
const givenMode = (signUp: SignUpOptions | undefined, text: string | undefined): Given =>
  signUp && Object.hasOwn(signUp, 'mode')
    ? { name: 'signUp.mode', text: `${signUp.mode}` }
    : { name: 'SIGN_UP', text };

/** Reads `organizationInvitations`. Without organizations, it cannot be switched on. */
function readOrganizationInvitations(
  faults: FaultList,
  signUp: SignUpOptions | undefined,
  { organizationInvitations: text, withoutOrganizations }: GivenSignUp,
): boolean {
  const option = signUp?.organizationInvitations;
  const given =
    option == null
      ? { name: 'SIGN_UP_ORGANIZATION_INVITATIONS', text, off: 'off' }
      : { name: 'signUp.organizationInvitations', text: `${option}`, off: 'false' };
  const isOn = readSwitch(faults, option, given);
  if (isOn && withoutOrganizations !== null)
    faults.add(given.name, given.text, `${given.off} while organizations are off (${withoutOrganizations})`);
  return isOn;
}
