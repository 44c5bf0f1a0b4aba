import { changeRole } from '../accounts/operations/change-role.ts';
import { disableUser, enableUser } from '../accounts/operations/change-status.ts';
import { countOtherUsernames } from '../accounts/operations/count-other-usernames.ts';
import { createRecoveryLink } from '../accounts/operations/create-recovery-link.ts';
import { deleteUser } from '../accounts/operations/delete-user.ts';
import { endSessionsOf } from '../accounts/operations/end-sessions.ts';
import { eraseUser } from '../accounts/operations/erase-user.ts';
import { exportUser } from '../accounts/operations/export-user.ts';
import { findUserNamed, listUsers } from '../accounts/operations/find-users.ts';
import { getUserDetails, getUserDetailsById, readOverview } from '../accounts/operations/overview.ts';
import { renameUser } from '../accounts/operations/rename.ts';
import { updateProfileOf } from '../accounts/operations/update-profile.ts';
import type { UserToExport } from '../accounts/user-export.ts';
import { eventsNamed } from '../audit/event-names.ts';
import { exportEvents, listEvents } from '../audit/operations/read-events.ts';
import { bootstrap } from '../bootstrap/operations/bootstrap.ts';
import { operatorNamed } from '../core/actor.ts';
import { displayName } from '../core/display-name.ts';
import { AuthError } from '../core/errors.ts';
import { isUuid } from '../core/identifiers.ts';
import { defaultHours, hoursExpected, isLifetime } from '../core/invitation-lifetime.ts';
import { pageRequest } from '../core/page.ts';
import type { Runtime } from '../core/runtime.ts';
import { createInvitation, createUserInvitation } from '../invitations/operations/create.ts';
import { listInvitations } from '../invitations/operations/list.ts';
import { revokeInvitation } from '../invitations/operations/revoke.ts';
import type { EntitledIn } from '../organizations/entitled-in.ts';
import { createOrganizationInvitation } from '../organizations/invitations/operations/create.ts';
import { listOrganizationInvitations } from '../organizations/invitations/operations/list.ts';
import { revokeOrganizationInvitation } from '../organizations/invitations/operations/revoke.ts';
import { findOrganizationWithSlug } from '../organizations/operations/find-organization.ts';
import { addMember } from '../organizations/operations/members.ts';
import { listOrganizations } from '../organizations/operations/organizations.ts';
import { createUser } from '../provisioning/operations/create-user.ts';
import { importUsers } from '../provisioning/operations/import-users.ts';
import { importSettings } from './import-settings.ts';
import { listUnconfiguredRoles } from '../organizations/operations/unconfigured-roles.ts';
import { cancelRecoveryLink } from '../recovery/operations/cancel-link.ts';
import type { Capability, OrganizationCapability } from '../roles/capabilities.ts';
import { entitleOperator } from '../roles/entitle.ts';
import { isConfigured, organizationRolesOf } from '../roles/organization-roles.ts';
import type { AuditSearch, OperatorActions } from './operator.ts';

/** Implements `auth.asOperator`. @throws TypeError for an invalid name */
export function operatorActions(runtime: Runtime, name: string): OperatorActions {
  const operator = operatorNamed(name);
  const may = <Name extends Capability>(capability: Name) => entitleOperator(capability, operator);
  const mayIn = async <Name extends OrganizationCapability>(
    capability: Name,
    slug: string,
  ): Promise<EntitledIn<Name>> => ({
    ...may(capability),
    organization: await findOrganizationWithSlug(runtime, slug),
    grantingRoles: null,
  });
  const audit = { ...may('audit:read'), scope: null };
  const named = (username: string) => findUserNamed(runtime, username);
  const idOf = async (username: string) => (await named(username)).id;

  return {
    overview: () => readOverview(runtime, may('user:read')),
    bootstrap: (superadmin) => bootstrap(runtime, operator, superadmin),

    invitations: {
      list: async ({ status, role, ...page } = {}) =>
        listInvitations(runtime, may('invitation:manage'), { status, role, ...pageRequest(page) }),
      create: async ({ username, role = 'admin', expiresInHours = defaultHours } = {}) => {
        requireInvitedRole(role);
        requireLifetime(expiresInHours);
        const request = { username, expiresInHours };
        return role === 'user'
          ? createUserInvitation(runtime, may('user:invite'), request)
          : createInvitation(runtime, may('invitation:manage'), request);
      },
      revoke: (id) => revokeInvitation(runtime, may('invitation:manage'), id),
    },

    users: {
      list: async ({ query, role, status, ...page } = {}) =>
        listUsers(runtime, may('user:read'), { query, role, status, ...pageRequest(page) }),
      get: (username) => getUserDetails(runtime, may('user:read'), username),
      byId: async (id) => {
        requireUuid('id', id);
        return getUserDetailsById(runtime, may('user:read'), id);
      },
      create: async (request) => {
        const { user, fields, link } = await createUser(runtime, may('user:manage'), request);
        const all = { ...user, fields: runtime.fields.readableBy('operator', fields) };
        return { user: runtime.fields.isEmpty ? user : all, link };
      },
      import: async (records, options = {}) =>
        importUsers(runtime, may('user:manage'), records, importSettings(records, options)),
      update: async (username, changes) => {
        const id = await idOf(username);
        const { user, fields } = await updateProfileOf(runtime, may('user:update'), id, {
          ...changes,
          displayName: displayNameOf(changes.displayName),
        });
        return runtime.fields.isEmpty ? user : { ...user, fields };
      },
      countUnderOtherRules: () => countOtherUsernames(runtime, may('user:read')),
      rename: async (username, newUsername) =>
        renameUser(runtime, may('user:update'), await idOf(username), newUsername),
      changeRole: async (username, role) =>
        (await changeRole(runtime, may('role:assign'), await idOf(username), role)).user,
      disable: async (username) => disableUser(runtime, may('user:manage'), await idOf(username)),
      enable: async (username) => enableUser(runtime, may('user:manage'), await idOf(username)),
      endSessions: async (username) => endSessionsOf(runtime, may('user:end_sessions'), await idOf(username)),
      createRecoveryLink: async (username) =>
        createRecoveryLink(runtime, may('user:recover'), await idOf(username)),
      cancelRecoveryLink: async (username) =>
        cancelRecoveryLink(runtime, may('user:recover'), await named(username)),
      delete: async (username) => deleteUser(runtime, may('user:manage'), await idOf(username)),
      erase: async (id) => {
        requireUuid('id', id);
        return eraseUser(runtime, may('user:manage'), id);
      },
      export: async (user) => {
        return exportUser(runtime, may('user:manage'), await idToExport(user, idOf));
      },
    },

    organizations: ifEnabled(runtime, {
      list: async (page = {}) => listOrganizations(runtime, operator, pageRequest(page)),
      addMember: async (slug, { username, role = 'user' }) => {
        requireOrganizationRole(runtime, role);
        return addMember(runtime, await mayIn('organization:members:add', slug), { username, role });
      },
      invite: async (slug, { username, role = 'user', expiresInHours = defaultHours } = {}) => {
        requireOrganizationRole(runtime, role);
        requireLifetime(expiresInHours);
        const request = { username, role, expiresInHours };
        return createOrganizationInvitation(
          runtime,
          await mayIn('organization:members:invite', slug),
          request,
        );
      },
      listInvitations: async (slug, { status, ...page } = {}) => {
        const search = { status, ...pageRequest(page) };
        return listOrganizationInvitations(runtime, await mayIn('organization:members:invite', slug), search);
      },
      revokeInvitation: async (slug, id) =>
        revokeOrganizationInvitation(runtime, await mayIn('organization:members:invite', slug), id),
      listUnconfiguredRoles: () => listUnconfiguredRoles(runtime, may('user:read')),
    }),

    audit: {
      list: async ({ limit, cursor, ...search } = {}) =>
        listEvents(runtime, audit, { ...pageRequest({ limit, cursor }), ...filterOf(search) }),
      export: async (search = {}) => exportEvents(runtime, audit, filterOf(search)),
    },
  };
}

/** @throws TypeError unless the user is given either by the id or by the username */
async function idToExport(user: UserToExport, idOf: (username: string) => Promise<string>): Promise<string> {
  const { id, username } = { id: undefined, username: undefined, ...user };
  if ((id === undefined) === (username === undefined))
    throw new TypeError('user: expected { id } or { username }');
  if (username !== undefined) return idOf(username);
  requireUuid('id', `${id}`);
  return `${id}`;
}

/** @throws TypeError for an invalid display name */
function displayNameOf(given: string | null | undefined): string | null | undefined {
  if (given == null) return given;
  const name = displayName(given);
  if (name === null)
    throw new TypeError('displayName: expected 1 to 64 characters without control characters, or null');
  return name;
}

/** @throws TypeError for an invalid lifetime */
function requireLifetime(expiresInHours: number): void {
  if (!isLifetime(expiresInHours))
    throw new TypeError(`expiresInHours: ${hoursExpected}, not ${expiresInHours}`);
}

/** @throws TypeError for a role that an invitation cannot grant */
function requireInvitedRole(role: string): void {
  if (role !== 'user' && role !== 'admin')
    throw new TypeError(`role: expected "user" or "admin", not ${role}`);
}

/** Refuses every action if the service has no organizations. @throws AuthError `feature_disabled` */
function ifEnabled(
  { config }: Runtime,
  actions: OperatorActions['organizations'],
): OperatorActions['organizations'] {
  if (config.organizations !== null) return actions;
  const refused = async () => {
    throw new AuthError('feature_disabled');
  };
  return Object.fromEntries(
    Object.keys(actions).map((name) => [name, refused]),
  ) as unknown as OperatorActions['organizations'];
}

/** @throws TypeError for an invalid role */
function requireOrganizationRole({ grants }: Runtime, role: string): void {
  if (isConfigured(grants, role)) return;
  const names = organizationRolesOf(grants).join(', ');
  throw new TypeError(`role: expected one of ${names}, not ${role}`);
}

/** @throws TypeError for another value */
function requireUuid(name: string, id: string): void {
  if (!isUuid(id)) throw new TypeError(`${name}: expected a UUID, not ${id}`);
}

/** @throws TypeError for an unknown event, an invalid id or an invalid time */
function filterOf({ event, from, to, ...filter }: AuditSearch) {
  const events = event === undefined ? undefined : eventsNamed(event);
  if (events?.length === 0)
    throw new TypeError(`event: expected the name of an event, or a prefix such as "passkey.", not ${event}`);
  for (const name of ['actorId', 'targetId', 'organizationId'] as const) {
    const id = filter[name];
    if (id !== undefined) requireUuid(name, id);
  }
  return { ...filter, events, from: timeOf('from', from), to: timeOf('to', to) };
}

function timeOf(name: string, time: Date | undefined): string | undefined {
  if (time !== undefined && !(time.getTime() >= 0))
    throw new TypeError(`${name}: expected a Date in 1970 or later, not ${time}`);
  return time?.toISOString();
}
