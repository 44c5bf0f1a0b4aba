import type { ErrorTexts } from './error-texts.ts';

/** The English texts of the step-up. */
export const stepUp = {
  title: 'Confirm it’s you',
  lead: 'You signed in a while ago. Confirm that it’s still you. This protects your account if you leave a device unlocked.',
  needsPasskey:
    'You signed in with your password. This action needs your passkey, because a password can be stolen.',
  addPasskeyFirst: 'Add a passkey first',
  addPasskeyLead: 'This action needs a passkey, and your account has none yet.',
  password: 'Password',
  usePasskey: 'Use your passkey',
  confirm: 'Confirm',
  cancel: 'Cancel',
  passkeyErrors: {
    ceremony_canceled: {
      title: 'Not confirmed yet',
      body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
    },
  } as ErrorTexts,
  passwordErrors: {
    authentication_failed: { title: 'Wrong password', body: 'Check your password, then try again.' },
  } as ErrorTexts,
};
