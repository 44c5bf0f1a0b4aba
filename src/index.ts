export type { Account } from './account/account.ts';
export type { AuditEvent } from './activity/activity.ts';
export type { Overview, PersonDetails, SuperadminSummary } from './administration/overview.ts';
export { type AuditEventName, type AuditOutcome, auditEventNames } from './audit/events.ts';
export { type AuthServiceOptions, createAuthService } from './auth-service.ts';
export type { Bootstrap, Bootstrapped, BootstrapState } from './bootstrap/bootstrap.ts';
export type { Budget, BudgetName, BudgetOptions, Budgets } from './core/budgets.ts';
export {
  type Configuration,
  type ConfigurationOptions,
  isProduction,
  readConfiguration,
} from './core/config.ts';
export { ConfigurationError, type ConfigurationFault } from './core/config-fault.ts';
export type { AddressSetting } from './core/config-values.ts';
export {
  AuthError,
  type AuthErrorOptions,
  type ErrorCode,
  errorTable,
  type InputFault,
} from './core/errors.ts';
export type { Logger } from './core/logger.ts';
export type { OperationCount } from './core/outcomes.ts';
export type { Page, PageRequest } from './core/page.ts';
export type { DatabaseSource } from './db/adapter.ts';
export type { Database, Ear, EntryReference, Statement } from './db/database.ts';
export type { DatabaseLoad } from './db/load.ts';
export { SchemaError, type SchemaState } from './db/migrate.ts';
export type { PgClient, PgPool } from './db/pg-pool.ts';
export {
  type AuthState,
  type GuardedState,
  type OptionalSessionState,
  optionalSession,
  type ResourceOf,
  requireFresh,
  requirePermission,
  requireRole,
  requireSession,
} from './http/guards.ts';
export type { ProblemDetails } from './http/handle-errors.ts';
export type { FetchHeaders, RequestWithHeaders, SessionSource } from './http/request-source.ts';
export { type AuthRouterOptions, createAuthRouter } from './http/router.ts';
export type { SessionOfOptions } from './http/session-of.ts';
export { createWellKnownRouter, type WellKnownOptions } from './http/well-known.ts';
export type {
  CreatedInvitation,
  Invitation,
  InvitationPreview,
  InvitationStatus,
  InvitedRole,
} from './invitations/invitation.ts';
export type {
  CreatedOrganizationInvitation,
  OrganizationInvitation,
  OrganizationInvitationPreview,
  OrganizationInvitationStatus,
} from './organizations/invitations/organization-invitation.ts';
export type { Member, Organization } from './organizations/organization.ts';
export type { Passkey } from './passkeys/passkey.ts';
export type { PasswordQueue } from './password/hashing.ts';
export type {
  PendingRecoveryLink,
  RecoveryCodes,
  RecoveryCodesStatus,
  RecoveryLink,
} from './recovery/recovery.ts';
export { type Capability, type CapabilityTable, capabilities, type Scope } from './roles/capabilities.ts';
export type { Membership, MembershipRole, Principal, Resource } from './roles/principal.ts';
export { can } from './roles/rules.ts';
export { openSchema, type Schema } from './schema.ts';
export type { AuditSearch, AuthService, OperatorActions, Statistics } from './service-types.ts';
export type { ReadSession, Session, SessionKind, SessionMethod } from './sessions/session.ts';
export type { SessionStatistics } from './sessions/session-cache.ts';
export type { UsernameAvailability } from './users/operations.ts';
export type { UsernameProblem } from './users/rules.ts';
export type { NamedUser, Role, User, UserStatus } from './users/user.ts';
