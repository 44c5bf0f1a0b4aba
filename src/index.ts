export type { Account } from './accounts/account.ts';
export type { EndedSessions } from './accounts/ended-sessions.ts';
export type { Erasure } from './accounts/erasure.ts';
export type { Overview, SuperadminSummary, UserDetails } from './accounts/overview.ts';
export type {
  ExportedAccount,
  ExportedAttestation,
  ExportedImpersonator,
  ExportedInvitation,
  ExportedPasskey,
  Involvement,
  UserRecord,
  UserToExport,
} from './accounts/user-export.ts';
export { createCors } from './api/cors.ts';
export { type FetchHandler, type FetchHandlerOptions, toFetchHandler } from './api/fetch-handler.ts';
export type { GuardOptions } from './api/guard-arguments.ts';
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
} from './api/guards.ts';
export type { HandlerOptions } from './api/mounted-routes.ts';
export { type NodeHandler, toNodeHandler } from './api/node-handler.ts';
export { type AuthRouterOptions, createAuthRouter } from './api/router.ts';
export { createWellKnownRouter, type WellKnownOptions } from './api/well-known.ts';
export { sharedSignalsOf } from './audit/conventions/event-conventions.ts';
export type { SharedSignal } from './audit/conventions/shared-signals.ts';
export type { AuditEvent } from './audit/event.ts';
export { type AuditEventName, type AuditOutcome, auditEventNames } from './audit/event-names.ts';
export type { EventsOptions } from './audit/feed/follow.ts';
export type { FedEvent } from './audit/feed/read-page.ts';
export type { AuditProblem, AuditVerification } from './audit/log/problem.ts';
export { type CheckedAuditProof, checkAuditProof } from './audit/log/proof-text.ts';
export type { AuditCheckpoint } from './audit/operations/prove-event.ts';
export type { AuditBacklog } from './audit/operations/read-backlog.ts';
export type { AuditFeed } from './audit/operations/read-feed.ts';
export type { NewAuditLog } from './audit/operations/start-new-log.ts';
export type { AuditVerifyOptions } from './audit/operations/verify-log.ts';
export type { BootstrapOptions, BootstrapResult, BootstrapState } from './bootstrap/bootstrap.ts';
export type { AuthenticatorMetadataState } from './core/authenticator-metadata.ts';
export type {
  AttestationPreference,
  AuthenticatorDecision,
  AuthenticatorFacts,
  AuthenticatorPolicy,
  AuthenticatorQuestion,
  AuthenticatorRequirements,
  CertificationLevel,
} from './core/authenticator-policy.ts';
export type { Budget, BudgetName, BudgetOptions, Budgets } from './core/budgets.ts';
export {
  type CapabilityOptions,
  type CapabilityTable,
  type Scope,
  scopes,
} from './core/capability-table.ts';
export { type Configuration, isProduction, readConfiguration } from './core/config.ts';
export type { AuditLogSettings } from './core/config-audit-log.ts';
export type { AuthenticatorSettings } from './core/config-authenticators.ts';
export type { CookieOptions, CookieSettings } from './core/config-cookies.ts';
export { ConfigurationError, type ConfigurationFault } from './core/config-fault.ts';
export type {
  LifetimeContext,
  LifetimeFunction,
  LifetimeFunctions,
  LifetimeOptions,
  Lifetimes,
} from './core/config-lifetimes.ts';
export type { AndroidApp, NativeAppOptions, NativeApps } from './core/config-native-apps.ts';
export type { ConfigurationOptions } from './core/config-options.ts';
export type { OrganizationOptions, OrganizationSettings } from './core/config-organizations.ts';
export type { HashVerifier, PasswordOptions } from './core/config-password.ts';
export type { AddressSetting } from './core/config-values.ts';
export type { Network, WebhookOptions, WebhookSettings } from './core/config-webhooks.ts';
export type {
  AuditEventReference,
  ChannelSubscriber,
  Database,
  Statement,
  Subscription,
} from './core/database.ts';
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
export type { PlaceOf } from './core/places.ts';
export type { RequestFacts, SessionRequest, SessionTransport } from './core/request-facts.ts';
export type {
  Impersonator,
  ListedSession,
  ReadSession,
  Session,
  SessionKind,
  SessionMethod,
  UserWithFields,
} from './core/session.ts';
export type { SessionStatistics } from './core/session-cache.ts';
export type {
  CreatedAccount,
  RenameRequest,
  SignUpAddition,
  SignUpAnswer,
  SignUpInvitation,
  SignUpMode,
  SignUpOptions,
  SignUpRefusal,
  SignUpRequest,
  SqlFragment,
  UsernameRequest,
} from './core/sign-up.ts';
export { type NamedUser, type Role, roles, type User, type UserStatus, userStatuses } from './core/user.ts';
export type {
  FieldAudience,
  FieldChanges,
  FieldValues,
  NoFields,
  OwnFieldChanges,
  OwnFieldValues,
  SignUpFields,
  StandardResult,
  StandardSchema,
  UserField,
  UserFields,
} from './core/user-fields.ts';
export type {
  CappedCount,
  LastSignIn,
  ListedUser,
  SignInMethod,
  SortOrder,
  UserCounts,
  UserList,
  UserListDetails,
  UserListNumbers,
  UserListPart,
  UserSort,
} from './core/user-list.ts';
export type { UsernameChange, UsernameOptions, UsernameRule } from './core/username-rule.ts';
export type { DatabaseSource } from './db/adapter.ts';
export type { DatabaseLoad } from './db/compose-database.ts';
export { DatabaseError, type DatabaseProblem } from './db/database-error.ts';
export type { DatabaseRole } from './db/database-role.ts';
export type { SchemaState } from './db/migrate.ts';
export type { PgClient, PgPool } from './db/pg-pool.ts';
export { SchemaError } from './db/schema-error.ts';
export { sql } from './db/sql-fragment.ts';
export { checkRedis } from './http/check-redis.ts';
export {
  type Problem,
  type ProblemDetails,
  problemOf,
  problemResponse,
  sendProblem,
} from './http/problem.ts';
export type { RedisClient } from './http/redis-client.ts';
export type { FetchHeaders, RequestWithHeaders, SessionSource } from './http/request-source.ts';
export type { ImpersonationLink } from './impersonation/impersonation.ts';
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
export type {
  ListedOrganization,
  Member,
  MemberCount,
  MemberSortKey,
  Organization,
  OrganizationSortKey,
  UnconfiguredRole,
  UserOrganization,
} from './organizations/organization.ts';
export type { SecretUse, SecretUses } from './overview/secret-uses.ts';
export type {
  AuthenticatorReport,
  ExcludedPasskey,
  UserWithExcludedPasskeys,
} from './passkeys/authenticator-report.ts';
export type { NewlyAddedPasskey, Passkey } from './passkeys/passkey.ts';
export type { PasswordQueue } from './password/hashing.ts';
export {
  type ImportedPasskey,
  type ImportedPassword,
  type ImportedUser,
  type ImportOptions,
  type ImportProgress,
  type ImportRefusalReason,
  type ImportReport,
  importRefusalReasons,
  type RefusedUser,
} from './provisioning/imported-user.ts';
export type { CreatedUser, NewUserRequest } from './provisioning/new-user.ts';
export type {
  PendingRecoveryLink,
  RecoveryCodes,
  RecoveryCodesStatus,
  RecoveryLink,
} from './recovery/recovery.ts';
export { type Capability, capabilities } from './roles/capabilities.ts';
export type { OrganizationRoleOptions } from './roles/organization-roles.ts';
export {
  type Membership,
  type OrganizationRole,
  organizationRoles,
  type Principal,
  type Resource,
} from './roles/principal.ts';
export { type AuthServiceOptions, createAuthService } from './service/auth-service.ts';
export { defineConfig } from './service/define-config.ts';
export type { OperatorActions, OperatorUserSearch } from './service/operator.ts';
export type { AuditSearch, OperatorAudit, OperatorFeedRequest } from './service/operator-audit.ts';
export type { OperatorOrganizations } from './service/operator-organizations.ts';
export type { OperatorWebhooks, WebhookStart } from './service/operator-webhooks.ts';
export type { AccessRequirement } from './service/require-access.ts';
export { type MigrationOptions, openSchema, type Schema, type SchemaOptions } from './service/schema.ts';
export type { ReadSessionWithOrganizations, SessionOfOptions } from './service/session-of.ts';
export type { AuthService, Statistics } from './service/types.ts';
export type { SessionEnd } from './sessions/session-watch.ts';
export type { UsernameAvailability } from './users/operations.ts';
export type { UsernameProblem } from './users/rules.ts';
export type { DeliveryCounts } from './webhooks/deliver.ts';
export type {
  DeliveryFault,
  Webhook,
  WebhookReason,
  WebhookState,
  WebhookTest,
  WebhookWithSecret,
} from './webhooks/webhook.ts';
