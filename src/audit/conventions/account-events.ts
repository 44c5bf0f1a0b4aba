import { type EventConvention, flag, integer, optional, text, uuid } from './convention.ts';
import {
  accountPurged,
  passkeyChange,
  passwordChange,
  recoveryActivated,
  recoveryInformationChanged,
  sessionEstablished,
  sessionRevoked,
} from './shared-signals.ts';

const role = text('The role of the new account.');

/** How invitations follow a changed username. */
export const renameDetails = {
  to: text('The new username. After an erasure: a pseudonym.'),
  movedInvitations: integer('The number of pending invitations that now name the new username.'),
  revokedInvitations: integer('The number of pending invitations that the service revoked.'),
};

export const changedFields = text('The names of the changed fields, separated by a comma and a space.');

/** The events of a user's own account. */
export const accountEvents = {
  'account.signup': {
    when: 'A user signed up with a passkey.',
    target: 'user',
    details: {
      passkeyId: uuid('The id of the first passkey.'),
      aaguid: uuid('The model of the authenticator. Only zeros: unknown.'),
      invitationId: optional(uuid('The id of the invitation that the user accepted by signing up.')),
      role: optional(role),
    },
    signals: [passkeyChange('create'), sessionEstablished],
  },
  'account.update': {
    when: 'A user changed the display name or own fields of the account.',
    target: 'user',
    details: { changed: changedFields },
  },
  'account.rename': {
    when: 'A user changed the username of the account.',
    target: 'user',
    details: renameDetails,
    signals: [recoveryInformationChanged],
  },
  'account.delete': {
    when: 'A user deleted the account.',
    target: 'user',
    signals: [accountPurged, sessionRevoked],
  },
  'passkey.login': {
    when: 'A user signed in with a passkey.',
    target: 'passkey',
    signals: [sessionEstablished],
  },
  'passkey.stepup': { when: 'A user authenticated again with a passkey.', target: 'passkey' },
  'passkey.add': {
    when: 'A user added a passkey, also at the end of a recovery.',
    target: 'passkey',
    details: {
      aaguid: uuid('The model of the authenticator. Only zeros: unknown.'),
      conditional: optional(flag('True: the browser created the passkey after a sign-in with a password.')),
    },
    signals: [passkeyChange('create')],
  },
  'passkey.rename': {
    when: 'A user changed the label of a passkey.',
    target: 'passkey',
    signals: [passkeyChange('update')],
  },
  'passkey.remove': {
    when: 'A user removed a passkey, also at the end of a recovery.',
    target: 'passkey',
    signals: [passkeyChange('delete')],
  },
  'passkey.clone_suspected': {
    when: 'The signature counter of a passkey did not increase, so a copy of the passkey may exist.',
    target: 'passkey',
    onlyRefusals: true,
  },
  'password.add': {
    when: 'A user added a password to the account.',
    target: 'user',
    signals: [passwordChange('create')],
  },
  'password.replace': {
    when: 'A user replaced the password.',
    target: 'user',
    signals: [passwordChange('update')],
  },
  'password.remove': {
    when: 'A user removed the password, also at the end of a recovery.',
    target: 'user',
    signals: [passwordChange('delete')],
  },
  'password.login': {
    when: 'A user signed in with the password.',
    target: 'user',
    signals: [sessionEstablished],
  },
  'password.stepup': { when: 'A user authenticated again with the password.', target: 'user' },
  'recovery_code.generate': {
    when: 'A user generated recovery codes, which replace all earlier codes.',
    target: 'user',
    details: { total: integer('The number of codes.') },
    signals: [recoveryInformationChanged],
  },
  'recovery_code.use': {
    when: 'A user started a recovery with a recovery code.',
    target: 'user',
    signals: [recoveryActivated],
  },
  'recovery_code.revoke': {
    when: 'A user revoked all recovery codes.',
    target: 'user',
    signals: [recoveryInformationChanged],
  },
  'recovery_link.create': {
    when: 'An admin, a superadmin or an operator created a recovery link for a user.',
    target: 'user',
    signals: [recoveryActivated],
  },
  'recovery_link.use': { when: 'A user started a recovery with a recovery link.', target: 'user' },
  'recovery_link.cancel': {
    when: 'A user canceled a recovery, or another user or an operator canceled a recovery link.',
    target: 'user',
  },
  'recovery.complete': {
    when: 'A user completed a recovery with a new passkey.',
    target: 'user',
    details: {
      method: text('`recovery_code`, or `assisted_recovery` for a recovery link.'),
      keptPasskeys: integer('The number of passkeys that the user kept.'),
      removedPasskeys: integer('The number of passkeys that the user removed.'),
      removedPassword: flag('Whether the recovery removed a password.'),
    },
    signals: [sessionEstablished],
  },
  'session.logout': { when: 'A user signed out.', target: 'session', signals: [sessionRevoked] },
  'session.revoke': {
    when: 'A user ended another session of the account.',
    target: 'session',
    signals: [sessionRevoked],
  },
  'session.revoke_others': {
    when: 'A user ended all other sessions of the account.',
    target: 'user',
    signals: [sessionRevoked],
  },
  'session.end_oldest': {
    when: 'A sign-in ended the least recently used session, because the account had the largest number of sessions.',
    target: 'user',
    signals: [sessionRevoked],
  },
} as const satisfies Record<string, EventConvention>;
