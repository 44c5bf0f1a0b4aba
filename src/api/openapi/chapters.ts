import { managementEndpoints } from '../accounts.ts';
import { auditEndpoints, ownEventEndpoints } from '../audit.ts';
import { auditFeedEndpoints } from '../audit-feed.ts';
import { auditLogEndpoints } from '../audit-log.ts';
import { auditWitnessEndpoints } from '../audit-witness.ts';
import { ceremonyEndpoints } from '../ceremonies.ts';
import { documentEndpoints } from '../documents.ts';
import type { Endpoints } from '../endpoint.ts';
import { impersonationEndpoints } from '../impersonation.ts';
import { invitationEndpoints } from '../invitations.ts';
import { organizationInvitationEndpoints, receivedInvitationEndpoints } from '../organization-invitations.ts';
import { memberEndpoints, organizationEndpoints } from '../organizations.ts';
import { overviewEndpoints } from '../overview.ts';
import { accountEndpoints } from '../own-account.ts';
import { passkeyEndpoints } from '../passkeys.ts';
import { passwordEndpoints } from '../password.ts';
import { recoveryEndpoints } from '../recovery.ts';
import { sessionEndpoints } from '../sessions.ts';
import { userEndpoints } from '../users.ts';
import { webhookEndpoints } from '../webhooks.ts';

/** A tag of the document. */
interface Chapter {
  name: string;
  description: string;
  endpoints: Endpoints;
}

/** All endpoints, by tag. */
export const chapters: readonly Chapter[] = [
  {
    name: 'Sign-up and sign-in',
    description:
      'Sign-up, sign-in and step-up with a passkey. Each of these ceremonies has two requests. The first request returns WebAuthn options for the browser. The second request sends the credential that the browser returned.',
    endpoints: { ...userEndpoints, ...ceremonyEndpoints },
  },
  {
    name: 'Passkeys',
    description: 'Passkeys of the signed-in user.',
    endpoints: passkeyEndpoints,
  },
  {
    name: 'Password',
    description: 'The password of the signed-in user, an optional alternative to passkeys.',
    endpoints: passwordEndpoints,
  },
  {
    name: 'Recovery',
    description:
      'For users who lost their passkeys. A recovery code or a recovery link opens a recovery session. In this session, the user adds a new passkey, which completes the recovery. An unfinished recovery is a recovery link or a recovery session of the account.',
    endpoints: recoveryEndpoints,
  },
  {
    name: 'Sessions',
    description: 'Sessions of the signed-in user.',
    endpoints: sessionEndpoints,
  },
  {
    name: 'Invitations',
    description:
      'Superadmins invite users to become admins. Admins and superadmins invite users to sign up (user invitations).',
    endpoints: invitationEndpoints,
  },
  {
    name: 'Users',
    description:
      'Superadmins manage all users. Admins manage members of the organizations in which they are organization admins. Every user can delete their own account.',
    endpoints: { ...managementEndpoints, ...accountEndpoints },
  },
  {
    name: 'Impersonation',
    description: 'Superadmins and operators use the account of a user with a lower role, for support.',
    endpoints: impersonationEndpoints,
  },
  {
    name: 'Organizations',
    description:
      'An organization has members, and some of them are organization admins. Superadmins have the rights of an organization admin in every organization.',
    endpoints: { ...organizationEndpoints, ...memberEndpoints },
  },
  {
    name: 'Invitations to organizations',
    description: 'Organization admins invite users. A user who accepts becomes a member.',
    endpoints: { ...organizationInvitationEndpoints, ...receivedInvitationEndpoints },
  },
  {
    name: 'Audit',
    description: 'Events of the audit log.',
    endpoints: {
      ...auditEndpoints,
      ...auditFeedEndpoints,
      ...auditLogEndpoints,
      ...auditWitnessEndpoints,
      ...ownEventEndpoints,
    },
  },
  {
    name: 'Webhooks',
    description:
      'Servers to which the service sends audit events, as CloudEvents with signatures of Standard Webhooks. For superadmins.',
    endpoints: webhookEndpoints,
  },
  {
    name: 'Overview',
    description: 'Figures of the service for administrators.',
    endpoints: overviewEndpoints,
  },
  {
    name: 'Documents',
    description: 'The OpenAPI document.',
    endpoints: documentEndpoints,
  },
];
