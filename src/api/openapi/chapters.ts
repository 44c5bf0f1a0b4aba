import { accountEndpoints, helpEndpoints, userEndpointsOfSuperadmins } from '../accounts.ts';
import { auditEndpoints } from '../audit.ts';
import { documentEndpoints } from '../documents.ts';
import type { Endpoints } from '../endpoint.ts';
import { invitationEndpoints } from '../invitations.ts';
import { organizationInvitationEndpoints, receivedInvitationEndpoints } from '../organization-invitations.ts';
import { memberEndpoints, organizationEndpoints } from '../organizations.ts';
import { ceremonyEndpoints, deviceEndpoints } from '../passkeys.ts';
import { passwordEndpoints } from '../password.ts';
import { recoveryEndpoints } from '../recovery.ts';
import { sessionEndpoints } from '../sessions.ts';
import { userEndpoints } from '../users.ts';

/** Every endpoint, under the tags of the document. */
export const chapters: { name: string; description: string; endpoints: Endpoints }[] = [
  {
    name: 'Sign-up and sign-in',
    description: 'With a username and a passkey. The challenge carries the state of a ceremony.',
    endpoints: { ...userEndpoints, ...ceremonyEndpoints },
  },
  {
    name: 'Passkeys',
    description: 'The passkeys of the signed-in user.',
    endpoints: deviceEndpoints,
  },
  {
    name: 'Password',
    description: 'An optional fallback for passkeys.',
    endpoints: passwordEndpoints,
  },
  {
    name: 'Recovery',
    description: 'For users who have lost their passkeys.',
    endpoints: recoveryEndpoints,
  },
  {
    name: 'Sessions',
    description: 'The sessions of the signed-in user.',
    endpoints: sessionEndpoints,
  },
  {
    name: 'Invitations',
    description: 'Superadmins invite admins.',
    endpoints: invitationEndpoints,
  },
  {
    name: 'Users',
    description: 'Admins manage the users of their organizations, superadmins every user.',
    endpoints: { ...helpEndpoints, ...userEndpointsOfSuperadmins, ...accountEndpoints },
  },
  {
    name: 'Organizations',
    description:
      'Organizations have their own members and admins. A superadmin acts as an admin of every organization.',
    endpoints: { ...organizationEndpoints, ...memberEndpoints },
  },
  {
    name: 'Invitations to organizations',
    description: 'Organization admins invite. Users accept and become members.',
    endpoints: { ...organizationInvitationEndpoints, ...receivedInvitationEndpoints },
  },
  {
    name: 'Audit',
    description: 'The audit log.',
    endpoints: auditEndpoints,
  },
  {
    name: 'Documents',
    description: 'About the service itself.',
    endpoints: documentEndpoints,
  },
];
