import { changedFields, renameDetails } from './account-events.ts';
import { type EventConvention, flag, integer, nullable, optional, text, time, uuid } from './convention.ts';
import {
  accountDisabled,
  accountEnabled,
  accountPurged,
  recoveryInformationChanged,
  sessionRevoked,
  tokenClaimsChange,
} from './shared-signals.ts';

const statedReason = text('The reason that the actor stated. After an erasure: a pseudonym.');
const passkeyIds = optional(text('The ids of the imported passkeys, separated by commas.'));
const hasPassword = flag('Whether the account has a password.');

/** The events of managing users, and of the audit log itself. */
export const administrationEvents = {
  'impersonation.create_link': {
    when: 'An operator created a link that opens a session as another user.',
    target: 'user',
    details: { statedReason },
  },
  'impersonation.start': {
    when: 'A superadmin or an operator opened a session as another user.',
    target: 'user',
    details: { statedReason, sessionId: uuid('The id of the impersonated session.') },
  },
  'impersonation.end': { when: 'The impersonator ended the session.', target: 'session' },
  'superadmin.bootstrap': {
    when: 'An operator created the first superadmin, or a new one because no superadmin was active.',
    target: 'user',
    details: {
      method: text('How the superadmin signs in first: `passkey` or `password`.'),
      again: flag('Whether the service had a superadmin before.'),
    },
  },
  'invitation.list': {
    when: 'A request to list invitations was refused.',
    target: null,
    onlyRefusals: true,
  },
  'invitation.create': {
    when: 'A user or an operator created an invitation to the service or to the role admin.',
    target: 'invitation',
    details: {
      role: text('The role that the invitation gives.'),
      expiresInHours: integer('The hours from the creation to the expiry.'),
    },
  },
  'invitation.accept': {
    when: 'A user accepted an invitation.',
    target: 'invitation',
    details: { role: text('The role that the user has received.') },
    signals: [tokenClaimsChange],
  },
  'invitation.revoke': { when: 'A user or an operator revoked an invitation.', target: 'invitation' },
  'user.list': { when: 'A request to list users was refused.', target: null, onlyRefusals: true },
  'user.get': { when: 'A request to read a user was refused.', target: 'user', onlyRefusals: true },
  'user.create': {
    when: 'An operator created an account.',
    target: 'user',
    details: {
      role: text('The role of the account.'),
      password: hasPassword,
      recoveryLink: flag('Whether the operator has received a recovery link for the first sign-in.'),
      passkeyIds,
    },
  },
  'user.import': {
    when: 'An operator imported an account from another system.',
    target: 'user',
    details: {
      source: text('The name of the other system.'),
      role: text('The role of the account.'),
      password: hasPassword,
      passkeyIds,
    },
  },
  'user.update': {
    when: 'An admin, a superadmin or an operator changed the display name or own fields of a user.',
    target: 'user',
    details: { changed: changedFields },
  },
  'user.rename': {
    when: 'An admin, a superadmin or an operator changed the username of a user.',
    target: 'user',
    details: renameDetails,
    signals: [recoveryInformationChanged],
  },
  'user.change_role': {
    when: 'A superadmin or an operator changed the role of a user.',
    target: 'user',
    details: { from: text('The earlier role.'), to: text('The new role.') },
    signals: [tokenClaimsChange],
  },
  'user.disable': {
    when: 'A superadmin or an operator disabled a user. All sessions of the user ended.',
    target: 'user',
    details: { statedReason: optional(statedReason) },
    signals: [accountDisabled, sessionRevoked],
  },
  'user.enable': {
    when: 'A superadmin or an operator enabled a user again.',
    target: 'user',
    signals: [accountEnabled],
  },
  'user.delete': {
    when: 'A superadmin or an operator deleted a user.',
    target: 'user',
    signals: [accountPurged, sessionRevoked],
  },
  'user.release_username': {
    when: 'The service released the username of a deleted account.',
    target: 'user',
    neverRefused: true,
  },
  'user.erase': {
    when: 'An operator erased a deleted user. The name of the target is the pseudonym.',
    target: 'user',
    details: { events: integer('The number of audit events whose personal data was replaced.') },
  },
  'user.export': { when: 'An operator exported the data of a user.', target: 'user' },
  'user.end_sessions': {
    when: 'An admin, a superadmin or an operator ended all sessions of a user.',
    target: 'user',
    signals: [sessionRevoked],
  },
  'user.end_session': {
    when: 'An admin, a superadmin or an operator ended one session of a user.',
    target: 'user',
    details: { sessionId: uuid('The id of the ended session.') },
    signals: [sessionRevoked],
  },
  'user.end_all_sessions': {
    when: 'An operator ended all sessions of all users. Each event is for at most 10000 sessions.',
    target: null,
    neverRefused: true,
    details: {
      sessions: integer('The number of ended sessions that had not expired.'),
      recoveryLinks: integer('The number of canceled recovery links that could still be used.'),
    },
  },
  'overview.get': {
    when: 'A request to read the overview was refused.',
    target: null,
    onlyRefusals: true,
  },
  'audit.list': {
    when: 'A request to read the audit log was refused.',
    target: null,
    onlyRefusals: true,
  },
  'audit.export': { when: 'A user started an export of the audit log.', target: null },
  'audit.prune': {
    when: 'The service deleted old audit events.',
    target: null,
    neverRefused: true,
    details: {
      before: time('Events before this time were deleted.'),
      removed: integer('The number of deleted events.'),
    },
  },
  'audit.new_log': {
    when: 'An operator let the service continue the audit log under a new identifier.',
    target: null,
    details: {
      statedReason,
      origin: text('The new identifier.'),
      formerOrigin: nullable(text('The earlier identifier. Null: the log had none.')),
      formerSize: integer('The number of entries that the new log took over.'),
    },
  },
  'audit.change_minimum': {
    when: 'The owner of the schema changed the minimum retention of the audit log.',
    target: null,
    neverRefused: true,
    details: { from: integer('The earlier minimum, in days.'), to: integer('The new minimum, in days.') },
  },
} as const satisfies Record<string, EventConvention>;
