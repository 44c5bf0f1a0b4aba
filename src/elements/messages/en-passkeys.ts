import type { ErrorTexts } from './error-texts.ts';

/** The English texts of the list of passkeys. */
export const passkeys = {
  list: 'Passkeys',
  loading: 'Loading your passkeys…',
  retry: 'Try again',
  none: 'No passkeys yet. Add a passkey to sign in without a password.',
  add: 'Add passkey',
  isNew: 'New',
  isCurrent: 'This device',
  isSynced: 'Synced',
  isSecurityKey: 'Security key',
  /** A certificate proves the model of the authenticator. */
  isAttested: 'Attested',
  synced: 'Synced across your devices',
  notSynced: 'Only on one device so far, not synced yet',
  onDevice: 'Only on the device that created it',
  /** `{ways}`: how the browser reaches the key, such as "USB, NFC". */
  onSecurityKey: 'Only on this security key ({ways})',
  smartCard: 'smart card',
  /** `{time}`: "2 hours ago", "yesterday", or `justNow`. */
  lastUsed: 'Last used {time}',
  lastUsedWith: 'Last used {time}, {browser}',
  justNow: 'just now',
  browserOnSystem: '{browser} on {system}',
  notUsed: 'Not used yet',
  /** `{time}`: a day. */
  added: 'Added {time}',
  menu: 'Actions for {name}',
  rename: 'Rename',
  remove: 'Remove…',
  removeConsequence: 'Blocks sign-in with this passkey',
  name: 'Name of the passkey {name}',
  nameNew: 'Name this passkey',
  save: 'Save',
  cancel: 'Cancel',
  removeTitle: 'Remove this passkey?',
  removeBlocks: 'You can no longer sign in with {name}.',
  removeEnds: 'All your other sessions end.',
  removeStays: 'Your device may offer the passkey until you delete it there too.',
  removeConfirm: 'Remove passkey',
  addErrors: {
    passkey_exists: {
      title: 'This device already has a passkey for your account',
      body: 'The passkey is in the list below. To add another passkey, use another device, another password manager or a security key.',
    },
    ceremony_canceled: {
      title: 'No passkey was added',
      body: 'The passkey prompt was closed or timed out. Try again when you’re ready.',
    },
    registration_failed: {
      title: 'The passkey wasn’t added',
      body: 'The service couldn’t verify the passkey. Try again. If your device saved the passkey, delete it there.',
    },
    too_many_passkeys: {
      title: 'You have as many passkeys as possible',
      body: 'Remove a passkey that you don’t use.',
    },
  } as ErrorTexts,
  removeErrors: {
    ceremony_canceled: {
      title: 'The passkey was not removed',
      body: 'You didn’t confirm that it’s you. Try again when you’re ready.',
    },
    last_credential: {
      title: 'You can’t remove your only passkey',
      body: 'Without it, you could no longer sign in. Add another passkey first, on a different device or a security key.',
    },
  } as ErrorTexts,
};
