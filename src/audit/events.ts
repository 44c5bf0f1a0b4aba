/** Everything the audit log can tell of, as `noun.verb`. */
export type AuditEventName =
  | 'account.signup'
  | 'passkey.login'
  | 'passkey.stepup'
  | 'passkey.add'
  | 'passkey.rename'
  | 'passkey.remove'
  | 'passkey.clone_suspected'
  | 'password.add'
  | 'password.replace'
  | 'password.remove'
  | 'password.login'
  | 'password.stepup'
  | 'recovery_code.generate'
  | 'recovery_code.use'
  | 'recovery_code.revoke'
  | 'recovery_link.create'
  | 'recovery_link.use'
  | 'recovery.complete'
  | 'session.logout'
  | 'session.revoke'
  | 'session.revoke_others';

export type AuditOutcome = 'success' | 'failure';

/** Whom or what an event was about. */
export interface AuditTarget {
  type: 'user' | 'passkey' | 'session';
  id: string | null;
  name: string | null;
}

/** An event about to be recorded. `details` never holds a secret. */
export interface AuditEntry {
  event: AuditEventName;
  outcome: AuditOutcome;
  target?: AuditTarget | undefined;
  details?: Record<string, string | number | boolean | null> | undefined;
}
