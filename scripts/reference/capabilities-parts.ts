import { chapters } from '../../src/api/openapi/chapters.ts';
import { roles } from '../../src/core/user.ts';
import { type Capability, capabilities } from '../../src/roles/capabilities.ts';
import { anchorOf } from '../anchors.ts';
import { code, table } from '../markdown.ts';
import { requestOf } from './requests.ts';

/** What each capability allows. */
const meanings: Readonly<Record<Capability, string>> = {
  'organization:create': 'create organizations',
  'organization:read': 'see an organization',
  'organization:leave': 'leave an organization',
  'organization:update': 'change the name or the slug of an organization',
  'organization:delete': 'delete an organization',
  'organization:members:read': 'list the members of an organization',
  'organization:members:add': 'add a user to an organization without an invitation',
  'organization:members:invite': 'invite users to an organization, and list and revoke its invitations',
  'organization:members:promote': 'change the role of a member in an organization',
  'organization:members:remove': 'remove a member from an organization',
  'user:invite': 'invite users to sign up',
  'user:read': 'see users',
  'user:update': 'change the username, the display name and the own fields of a user',
  'user:recover': 'create a recovery link for a user',
  'user:end_sessions': 'end sessions of a user',
  'user:manage': 'disable, enable and delete users',
  'user:impersonate': 'open a session as a user with a lower role, if `impersonation` is on',
  'role:assign': 'change the role of a user',
  'invitation:manage': 'invite users to become admins, and list and revoke these invitations',
  'audit:read': 'read the audit log',
  'webhook:manage': 'create, change and delete webhooks',
  'overview:read': 'see the figures of the service',
};

/** The generated parts of docs/reference/capabilities.md, by name. */
export function capabilitiesParts(): Record<string, string> {
  const existing = new Set(roles.flatMap((role) => Object.keys(capabilities[role])));
  const wrong = [
    ...Object.keys(meanings).filter((name) => !existing.has(name)),
    ...[...existing].filter((name) => !Object.hasOwn(meanings, name)),
  ];
  if (wrong.length > 0) throw new Error(`scripts/reference/capabilities-parts.ts: check ${wrong.join(', ')}`);
  return {
    capabilities: table(
      ['Capability', 'Allows to', ...roles, 'Endpoints'],
      Object.entries(meanings).map(([name, meaning]) => [
        code(name),
        meaning,
        ...scopesOf(name),
        requestsThatNeed(name).join('<br>'),
      ]),
    ),
  };
}

/** The scope of each role. A role has the capabilities of the lower roles. */
function scopesOf(name: string): string[] {
  let scope = '';
  return roles.map((role) => {
    const table: Readonly<Partial<Record<string, string>>> = capabilities[role];
    scope = table[name] ?? scope;
    return scope === '' ? '' : code(scope);
  });
}

const requestsThatNeed = (capability: string): string[] =>
  chapters
    .flatMap(({ endpoints }) => Object.values(endpoints))
    .filter(({ requires }) => requires === capability)
    .map((endpoint) => `[${code(requestOf(endpoint))}](endpoints.md#${anchorOf(requestOf(endpoint))})`);
