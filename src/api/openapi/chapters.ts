import { accountEndpoints, helpEndpoints, userEndpointsOfSuperadmins } from '../accounts.ts';
import { auditEndpoints } from '../audit.ts';
import { ceremonyEndpoints } from '../ceremonies.ts';
import { documentEndpoints } from '../documents.ts';
import type { Endpoints } from '../endpoint.ts';
import { invitationEndpoints } from '../invitations.ts';
import { organizationInvitationEndpoints, receivedInvitationEndpoints } from '../organization-invitations.ts';
import { memberEndpoints, organizationEndpoints } from '../organizations.ts';
import { passkeyEndpoints } from '../passkeys.ts';
import { passwordEndpoints } from '../password.ts';
import { recoveryEndpoints } from '../recovery.ts';
import { sessionEndpoints } from '../sessions.ts';
import { userEndpoints } from '../users.ts';

/** All endpoints, by tag. */
export const chapters: { name: string; description: string; endpoints: Endpoints }[] = [
  {
    name: 'Sign-up and sign-in',
    description:
      'Sign-up and sign-in with a username and a passkey. The challenge carries the state of the ceremony.',
    endpoints: { ...userEndpoints, ...ceremonyEndpoints },
  },
  {
    name: 'Passkeys',
    description: 'The passkeys of the signed-in user.',
    endpoints: passkeyEndpoints,
  },
  {
    name: 'Password',
    description: 'An optional fallback for passkeys.',
    endpoints: passwordEndpoints,
  },
  {
    name: 'Recovery',
    description: 'For users who lost their passkeys.',
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
    description: 'Organization admins invite users. Users who accept become members.',
    endpoints: { ...organizationInvitationEndpoints, ...receivedInvitationEndpoints },
  },
  {
    name: 'Audit',
    description: 'The audit log.',
    endpoints: auditEndpoints,
  },
  {
    name: 'Documents',
    description: 'Descriptions of the API.',
    endpoints: documentEndpoints,
  },
];
