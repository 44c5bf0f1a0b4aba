import type { AuditEvent } from '../audit/event.ts';
import type { CertificationLevel } from '../core/authenticator-policy.ts';
import type { Impersonator, Session } from '../core/session.ts';
import type { Role, UserStatus } from '../core/user.ts';
import type { FieldValues, NoFields, UserFields } from '../core/user-fields.ts';
import type { LastSignIn } from '../core/user-list.ts';
import type { InvitationStatus, InvitedRole } from '../invitations/invitation.ts';
import type { OrganizationInvitationStatus } from '../organizations/invitations/organization-invitation.ts';
import type { Organization } from '../organizations/organization.ts';
import type { Passkey } from '../passkeys/passkey.ts';
import type { RecoveryCodesStatus } from '../recovery/recovery.ts';
import type { OrganizationRole } from '../roles/principal.ts';

/** Which user to export. A username finds only a user who is not deleted. An id also finds a deleted user. */
export type UserToExport = { id: string } | { username: string };

/** The account in a user export. Times are RFC 3339. */
export interface ExportedAccount<Fields extends UserFields = NoFields> {
  id: string;
  /** Null: the user is deleted and the username was released. */
  username: string | null;
  /** When the username last changed. Null: never. */
  usernameSince: string | null;
  displayName: string | null;
  role: Role;
  status: UserStatus;
  createdAt: string;
  /** Null: the account is not deleted. */
  deletedAt: string | null;
  /** The `user.id` that authenticators store with a passkey, in base64url (WebAuthn 5.4.3). */
  userHandle: string;
  /** Null: no sign-in is known, or the user is deleted. */
  lastSignIn: LastSignIn | null;
  hasPassword: boolean;
  recoveryCodes: RecoveryCodesStatus;
  /** The pending recovery link. Null: none. */
  recoveryLink: { createdAt: string; usableAt: string; expiresAt: string; usedAt: string | null } | null;
  /** All own fields (`userFields`), including values of fields that are no longer defined. */
  fields: [keyof Fields] extends [never] ? Readonly<Record<string, unknown>> : FieldValues<Fields>;
}

/** A passkey in a user export. The authenticator keeps the private key, so these values allow no sign-in. */
export interface ExportedPasskey extends Omit<Passkey, 'current'> {
  /** Base64url. */
  credentialId: string;
  /** A COSE key in base64url. */
  publicKey: string;
  /** The signature counter. */
  counter: number;
  /** The user handle of an imported passkey, in base64url. Null: the user handle of the account, or still unknown. */
  userHandle: string | null;
  /** What the service stored when the passkey was added. Null: the service did not ask for attestation. */
  attestation: ExportedAttestation | null;
}

/** The attestation of a passkey in a user export. */
export interface ExportedAttestation {
  /** The attestation statement format, such as `packed` (WebAuthn 8). */
  format: string;
  /** The SHA-256 hash of the certificate that the attestation leads to, in hexadecimal. Null: `attested` is false. */
  root: string | null;
  /** The highest FIDO certification of the model when the passkey was added. Null: none, unknown or not attested. */
  certification: CertificationLevel | null;
  /** The certificates of the authenticator in base64. Null: not stored (only `attestation: 'enterprise'` stores them). */
  certificates: readonly string[] | null;
}

/**
 * How the user is involved in an invitation. If the user accepted an invitation that names the user: only `acceptor`.
 */
export type Involvement = 'creator' | 'invitee' | 'acceptor';

/** An invitation in a user export. Times are RFC 3339. */
export interface ExportedInvitation<Invited extends string, Status extends string> {
  id: string;
  involvement: Involvement;
  /** The role that the invitation grants. */
  role: Invited;
  status: Status;
  createdAt: string;
  expiresAt: string;
  acceptedAt: string | null;
}

/** Who used an impersonated session. The name of another user is null. */
export type ExportedImpersonator = Omit<Impersonator, 'name'> & { name: string | null };

/** A session or an event in a user export. */
type Exported<Content> = Omit<Content, 'current' | 'impersonator'> & {
  impersonator: ExportedImpersonator | null;
};

type Typed<Type extends string, Content> = { type: Type } & Content;

/**
 * One record of a user export. The export starts with one `account`. The other types follow in the order of this union.
 *
 * - `earlier_username`: a username that the user had before
 * - `session`: a live session of the user, or a live session in which the user uses the account of another user
 * - `created_organization`: an organization that the user created, even if the user is not a member of it
 * - `import`: the id that the user had in another system (`users.import`)
 * - `invitation`, `organization_invitation`: an invitation that the user created, received or accepted. If the user is
 *   the creator and the acceptor, the export contains two records.
 * - `audit_event`: first the events of requests in sessions of the user, then events of requests as other users
 *   (impersonation), then events of others about the user, then events that contain only the username. Each of the four
 *   parts starts with the oldest event.
 *
 * Other users appear only with their ids, and their IP addresses and browsers are null. The stated reason of an
 * impersonation is null, too.
 */
export type UserRecord<Fields extends UserFields = NoFields> =
  | Typed<'account', ExportedAccount<Fields>>
  | Typed<'earlier_username', { username: string; until: string }>
  | Typed<'passkey', ExportedPasskey>
  | Typed<'session', Exported<Session>>
  | Typed<
      'membership',
      {
        organization: Pick<Organization, 'id' | 'name' | 'slug'>;
        role: OrganizationRole;
        joinedAt: string;
      }
    >
  | Typed<
      'created_organization',
      { organization: Pick<Organization, 'id' | 'name' | 'slug'>; createdAt: string }
    >
  | Typed<'import', { source: string; sourceId: string }>
  | Typed<'invitation', ExportedInvitation<InvitedRole, InvitationStatus>>
  | Typed<
      'organization_invitation',
      ExportedInvitation<OrganizationRole, OrganizationInvitationStatus> & {
        organization: Pick<Organization, 'id' | 'name' | 'slug'>;
      }
    >
  | Typed<'audit_event', Exported<AuditEvent>>;
