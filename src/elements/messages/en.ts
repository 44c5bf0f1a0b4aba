import type { passkeys } from './en-passkeys.ts';
import type { stepUp } from './en-step-up.ts';
import type { ErrorTexts } from './error-texts.ts';

const errors: ErrorTexts = {
  webauthn_unsupported: {
    title: 'This browser doesn’t support passkeys',
    body: 'Use a current version of Chrome, Edge, Firefox or Safari. Browsers built into other apps often don’t support passkeys.',
  },
  insecure_context: {
    title: 'Passkeys do not work at this URL',
    body: 'Open this site at its https:// URL and try again.',
  },
  ceremony_canceled: {
    title: 'Nothing was changed',
    body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
  },
  ceremony_failed: {
    title: 'The device or security key reported an error',
    body: 'Try again, or use another passkey.',
  },
  network_error: {
    title: 'The server is unreachable',
    body: 'Check the internet connection and try again.',
  },
  internal_error: {
    title: 'Something went wrong on the server',
    body: 'Wait a moment, then try again.',
  },
  authentication_failed: { title: 'That didn’t work', body: 'Try again, or use another passkey.' },
  unknown_credential: {
    title: 'That passkey no longer works here',
    body: 'The passkey was removed, or its account was deleted. Use another passkey, or sign in another way. If your device still offers this passkey, delete it there.',
  },
  account_disabled: {
    title: 'Your account is disabled',
    body: 'To sign in again, ask an administrator of this site to enable it.',
  },
  not_authenticated: { title: 'Your session has ended', body: 'Sign in again.' },
};

/** The texts that all elements share, and those of sign-in and sign-up. */
const forms = {
  optional: '(optional)',
  waiting: 'Waiting for your passkey…',
  passkeyHelp: 'See which browsers and devices support passkeys',
  tooManyAttempts: 'Too many attempts',
  unavailable: 'The service is temporarily unavailable',
  waitAMoment: 'Wait a moment, then try again.',
  /** `{time}`: a duration with its unit, such as "5 minutes". */
  tryAgainIn: 'Try again in {time}.',
  errors,
  signIn: {
    username: 'Username',
    usernameHint: 'Leave it empty to choose from your passkeys.',
    submit: 'Sign in with a passkey',
    orWithoutUsername: 'Or leave the username empty and choose your passkey now.',
    errors: {
      authentication_failed: {
        title: 'Couldn’t sign in',
        body: 'Try again, or use another passkey. If you entered a username, check its spelling.',
      },
      ceremony_canceled: {
        title: 'You’re not signed in yet',
        body: 'The passkey prompt was closed or timed out, or this device has no passkey for this site. Try again, or use a passkey on your phone or a security key.',
      },
    } as ErrorTexts,
  },
  signUp: {
    username: 'Username',
    displayName: 'Display name',
    submit: 'Create account with a passkey',
    rule: '3 to 32 letters, digits, dots, dashes or underscores.',
    missing: 'Choose a username.',
    atLeast: 'At least 3 characters.',
    tooShort: 'Use at least 3 characters.',
    checking: 'Checking…',
    unknown: 'Couldn’t check whether the username is available. You can still create the account.',
    available: 'Available',
    availableAs: 'Available as {username}',
    taken: '{username} is taken.',
    lookAlike: '{username} looks like the username of another user. Choose another username.',
    reserved: '{username} is reserved. Choose another username.',
    tooLong: 'Use at most 32 characters.',
    email: 'Choose a name, not an email address.',
    spaces: 'Remove the spaces.',
    edges: 'Begin and end with a letter or a digit.',
    characters: 'Use letters a–z, digits, and . _ or - between them.',
    errors: {
      ceremony_canceled: {
        title: 'No account was created',
        body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
      },
      registration_failed: {
        title: 'The account wasn’t created',
        body: 'The service couldn’t verify the passkey. Try again. If your device saved the passkey, delete it there.',
      },
      username_taken: {
        title: 'That username is taken',
        body: 'Choose another username, then try again.',
      },
      username_unacceptable: {
        title: 'That username can’t be used',
        body: 'Choose another username, then try again.',
      },
      sign_up_closed: { title: 'Sign-up is closed', body: 'You can’t create an account here.' },
      invitation_required: {
        title: 'You need an invitation',
        body: 'To create an account, open the link of your invitation.',
      },
      passkey_exists: {
        title: 'This device already has a passkey for this account',
        body: 'Use another device, another password manager or a security key.',
      },
    } as ErrorTexts,
  },
};

type Forms = typeof forms;

/** All texts of the elements in one language. */
export interface Messages extends Forms {
  stepUp: typeof stepUp;
  passkeys: typeof passkeys;
}

/**
 * The English texts of the elements. The elements replace names in braces, such as `{username}`, with values. The
 * modules of the passkey list and of the step-up add the texts that only these elements need.
 */
export const en = forms as Messages;
