/**
 * The names of all audit events, as `noun.verb`. For an operation that only reads, the audit log records only the
 * refusals. The exceptions are `audit.export` and `user.export`, which are also recorded when they succeed.
 */
export const auditEventNames = [
  'account.signup',
  'account.update',
  'account.rename',
  'account.delete',
  'passkey.login',
  'passkey.stepup',
  'passkey.add',
  'passkey.rename',
  'passkey.remove',
  'passkey.clone_suspected',
  'password.add',
  'password.replace',
  'password.remove',
  'password.login',
  'password.stepup',
  'recovery_code.generate',
  'recovery_code.use',
  'recovery_code.revoke',
  'recovery_link.create',
  'recovery_link.use',
  'recovery_link.cancel',
  'recovery.complete',
  'session.logout',
  'session.revoke',
  'session.revoke_others',
  'session.end_oldest',
  'impersonation.create_link',
  'impersonation.start',
  'impersonation.end',
  'superadmin.bootstrap',
  'invitation.list',
  'invitation.create',
  'invitation.accept',
  'invitation.revoke',
  'user.list',
  'user.get',
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
  'user.export',
  'user.end_sessions',
  'user.end_session',
  'user.end_all_sessions',
  'organization.create',
  'organization.update',
  'organization.delete',
  'organization_invitation.create',
  'organization_invitation.accept',
  'organization_invitation.decline',
  'organization_invitation.revoke',
  'member.add',
  'member.change_role',
  'member.remove',
  'member.leave',
  'webhook.list',
  'webhook.create',
  'webhook.update',
  'webhook.rotate_secret',
  'webhook.pause',
  'webhook.resume',
  'webhook.test',
  'webhook.disable',
  'webhook.delete',
  'overview.get',
  'audit.list',
  'audit.export',
  'audit.prune',
  'audit.change_minimum',
  'audit.new_log',
] as const;

export type AuditEventName = (typeof auditEventNames)[number];

/** Finds event names by a full name (`user.delete`) or by an event prefix, which ends with a dot (`user.`). */
export const eventsNamed = (text: string): AuditEventName[] =>
  auditEventNames.filter((name) => (text.endsWith('.') ? name.startsWith(text) : name === text));

export type AuditOutcome = 'success' | 'failure';

/** The resource that an event is about. */
export interface AuditTarget {
  type: 'user' | 'passkey' | 'session' | 'invitation' | 'organization' | 'webhook';
  id: string | null;
  name: string | null;
}

/** An event to record. `details` never contains a secret. */
export interface AuditEntry {
  event: AuditEventName;
  outcome: AuditOutcome;
  target?: AuditTarget | undefined;
  /** The organization that the event belongs to. */
  organizationId?: string | undefined;
  details?: Record<string, string | number | boolean | null> | undefined;
}
