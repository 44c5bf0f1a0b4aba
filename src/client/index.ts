export type {
  AuditClient,
  AuditFeed,
  AuditFeedRequest,
  AuditFilters,
  AuditPage,
  OwnEvent,
  OwnEventFilters,
  OwnEventPage,
} from './audit.ts';
export type { AuthClient, AuthClientOptions } from './auth-client.ts';
export { supportsPasskeyAutofill } from './autofill.ts';
export { passkeyObstacle } from './ceremonies.ts';
export { createAuthClient } from './client.ts';
export {
  AuthClientError,
  type AuthClientErrorCode,
  type AuthClientErrorDetails,
  type ClientErrorCode,
  type InputFault,
  type ServiceErrorCode,
} from './errors.ts';
export type { ImpersonationClient } from './impersonation.ts';
export type { AcceptedInvitation, CreatedInvitation, Invitation, InvitationPreview } from './invitation.ts';
export type { InvitationFilters, InvitationPage, InvitationsClient } from './invitations.ts';
export type { MemberFilters, MemberPage, MembersClient } from './members.ts';
export type {
  CreatedOrganizationInvitation,
  JoinedOrganization,
  OrganizationInvitation,
  OrganizationInvitationPreview,
} from './organization-invitation.ts';
export type {
  OrganizationInvitationFilters,
  OrganizationInvitationPage,
  OrganizationInvitationsClient,
} from './organization-invitations.ts';
export type { OrganizationListRequest, OrganizationPage, OrganizationsClient } from './organizations.ts';
export type { OverviewClient, ServiceOverview, SignInCounts } from './overview.ts';
export type {
  FieldValuesOfUser,
  NoServiceTypes,
  OwnFieldDefinitions,
  OwnFields,
  OwnFieldValues,
  ServiceTypes,
  WithFieldsOfUser,
  WithOwnFields,
  WithSignUpFields,
} from './own-fields.ts';
export type { PasskeysClient } from './passkeys.ts';
export type { PasswordClient } from './password.ts';
export type { CompleteRecoveryOptions, RecoveryClient } from './recovery.ts';
export type { SessionsClient } from './sessions.ts';
export type { StepUpAnswer, StepUpOptions, StepUpReason } from './step-up.ts';
export type { TokenStore } from './token-store.ts';
export type {
  Account,
  AuditEvent,
  CompletedRecovery,
  CurrentSession,
  Impersonator,
  ListedOrganization,
  ListedSession,
  ManagedUser,
  Member,
  MemberCount,
  NamedUser,
  NewPasskey,
  Organization,
  OrganizationRole,
  Page,
  PageRequest,
  Passkey,
  PendingRecoveryLink,
  RecoveryCodes,
  RecoveryCodesStatus,
  RecoveryLink,
  Role,
  Session,
  SessionWithOrganizations,
  SignedIn,
  SignedUp,
  SignUpMode,
  User,
  UsernameAvailability,
  UserOrganization,
} from './types.ts';
export { isAtLeast, roles } from './types.ts';
export type { UserInvitationFilters, UserInvitationsClient } from './user-invitations.ts';
export type {
  CappedCount,
  LastSignIn,
  ListedUser,
  UserCounts,
  UserFilters,
  UserListPart,
  UserPage,
  UserSort,
} from './user-list.ts';
export type {
  UserActionName,
  UserActionObstacle,
  UserActionState,
  UserRecord,
  UserRecordDetails,
} from './user-record.ts';
export type { UsersClient } from './users.ts';
export type { NewWebhook, Webhook, WebhooksClient, WebhookTest, WebhookWithSecret } from './webhooks.ts';
