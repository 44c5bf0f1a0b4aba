import type { AuditEvent } from 'latchkey/client';
import type { PlainKey } from '../messages/text.ts';

interface Kind {
  /** The value in the URL. */
  id: string;
  name: PlainKey;
  /** Event names, or prefixes that end with a dot and select all events whose names start with them. */
  events: readonly string[];
}

/** Events that open a session: sign-ins with each method, sign-ups, recoveries and impersonations. */
const signIns = [
  'passkey.login',
  'password.login',
  'recovery_code.use',
  'recovery_link.use',
  'account.signup',
  'impersonation.start',
];

/** Changes that administrators and operators make to users, organizations and the service. */
const changes = [
  'user.create',
  'user.import',
  'user.update',
  'user.rename',
  'user.change_role',
  'user.disable',
  'user.enable',
  'user.delete',
  'user.release_username',
  'user.erase',
  'user.end_sessions',
  'user.end_session',
  'user.end_all_sessions',
  'recovery_link.create',
  'recovery_link.cancel',
  'impersonation.create_link',
  'superadmin.',
  'invitation.create',
  'invitation.revoke',
  'organization.',
  'organization_invitation.create',
  'organization_invitation.revoke',
  'member.add',
  'member.change_role',
  'member.remove',
  'webhook.create',
  'webhook.update',
  'webhook.rotate_secret',
  'webhook.pause',
  'webhook.resume',
  'webhook.disable',
  'webhook.delete',
  'audit.prune',
  'audit.change_minimum',
  'audit.new_log',
];

export const kinds: readonly Kind[] = [
  { id: 'sign-ins', name: 'activity.kindSignIns', events: signIns },
  { id: 'changes', name: 'activity.kindChanges', events: changes },
  {
    id: 'recovery',
    name: 'activity.kindRecovery',
    events: ['recovery_code.', 'recovery_link.', 'recovery.'],
  },
  { id: 'accounts', name: 'activity.kindAccounts', events: ['account.'] },
  { id: 'passkeys', name: 'activity.kindPasskeys', events: ['passkey.'] },
  { id: 'passwords', name: 'activity.kindPasswords', events: ['password.'] },
  { id: 'sessions', name: 'activity.kindSessions', events: ['session.'] },
  { id: 'impersonation', name: 'activity.kindImpersonation', events: ['impersonation.'] },
  { id: 'users', name: 'activity.kindUsers', events: ['user.', 'superadmin.'] },
  { id: 'invitations', name: 'activity.kindInvitations', events: ['invitation.'] },
  { id: 'organizations', name: 'activity.kindOrganizations', events: ['organization.'] },
  {
    id: 'organization-invitations',
    name: 'activity.kindOrganizationInvitations',
    events: ['organization_invitation.'],
  },
  { id: 'members', name: 'activity.kindMembers', events: ['member.'] },
  { id: 'webhooks', name: 'activity.kindWebhooks', events: ['webhook.'] },
  { id: 'audit', name: 'activity.kindAudit', events: ['audit.', 'overview.'] },
];

/** The events of a kind. If `kind` is not the id of a kind, it is a list of event names and prefixes with commas. */
export const eventsOf = (kind: string): readonly string[] =>
  kinds.find(({ id }) => id === kind)?.events ?? kind.split(',');

interface Preset {
  name: PlainKey;
  kind: string;
  outcome: AuditEvent['outcome'] | '';
}

/** Filters that answer frequent questions. */
export const presets: readonly Preset[] = [
  { name: 'activity.presetSignIns', kind: 'sign-ins', outcome: 'success' },
  { name: 'activity.presetRefusals', kind: '', outcome: 'failure' },
  { name: 'activity.presetChanges', kind: 'changes', outcome: 'success' },
  { name: 'activity.presetRecovery', kind: 'recovery', outcome: '' },
];
