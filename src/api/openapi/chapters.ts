import type { Endpoints } from '../../http/endpoint.ts';
import { helpEndpoints, ruleEndpoints } from '../accounts.ts';
import { activityEndpoints } from '../audit.ts';
import { documentEndpoints } from '../documents.ts';
import { invitationEndpoints } from '../invitations.ts';
import { organizationInvitationEndpoints, receivedInvitationEndpoints } from '../organization-invitations.ts';
import { memberEndpoints, organizationEndpoints } from '../organizations.ts';
import { ceremonyEndpoints, deviceEndpoints } from '../passkeys.ts';
import { passwordEndpoints } from '../password.ts';
import { recoveryEndpoints } from '../recovery.ts';
import { accountEndpoints, sessionEndpoints } from '../sessions.ts';
import { userEndpoints } from '../users.ts';

/** Every endpoint, under the headings of the document. */
export const chapters: { name: string; description: string; endpoints: Endpoints }[] = [
  {
    name: 'Sign up and sign in',
    description:
      'With a username and a passkey. The challenge says what ceremony it is of: nothing else is echoed.',
    endpoints: { ...userEndpoints, ...ceremonyEndpoints },
  },
  {
    name: 'Passkeys',
    description: 'Those of whoever is signed in.',
    endpoints: deviceEndpoints,
  },
  {
    name: 'Password',
    description: 'A fallback, which an account need not have.',
    endpoints: passwordEndpoints,
  },
  {
    name: 'Recovery',
    description: 'Back into an account whose passkeys are lost.',
    endpoints: recoveryEndpoints,
  },
  {
    name: 'Sessions',
    description: 'Who is signed in, and where.',
    endpoints: { ...accountEndpoints, ...sessionEndpoints },
  },
  {
    name: 'Invitations',
    description: 'By superadmins, for admins.',
    endpoints: invitationEndpoints,
  },
  {
    name: 'People',
    description: 'Looking after accounts: admins in their organizations, superadmins everywhere.',
    endpoints: { ...helpEndpoints, ...ruleEndpoints },
  },
  {
    name: 'Organizations',
    description: 'With members and admins of their own. A superadmin acts as admin in every one.',
    endpoints: { ...organizationEndpoints, ...memberEndpoints },
  },
  {
    name: 'Invitations to organizations',
    description: 'An organization’s admins invite; users become members by accepting.',
    endpoints: { ...organizationInvitationEndpoints, ...receivedInvitationEndpoints },
  },
  {
    name: 'Audit',
    description: 'Who did what.',
    endpoints: activityEndpoints,
  },
  {
    name: 'Documents',
    description: 'About the service itself.',
    endpoints: documentEndpoints,
  },
];
