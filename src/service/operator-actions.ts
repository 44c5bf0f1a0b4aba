import { changeRole } from '../accounts/operations/change-role.ts';
import { disableUser, enableUser } from '../accounts/operations/change-status.ts';
import { countOtherUsernames } from '../accounts/operations/count-other-usernames.ts';
import { createRecoveryLink } from '../accounts/operations/create-recovery-link.ts';
import { deleteUser } from '../accounts/operations/delete-user.ts';
import { endSessionsOf } from '../accounts/operations/end-sessions.ts';
import { eraseUser } from '../accounts/operations/erase-user.ts';
import { findUserNamed, listUsers } from '../accounts/operations/find-users.ts';
import { getUserDetails, readOverview } from '../accounts/operations/overview.ts';
import { renameUser } from '../accounts/operations/rename.ts';
import { updateProfileOf } from '../accounts/operations/update-profile.ts';
import { eventsNamed } from '../audit/event-names.ts';
import { exportEvents, listEvents } from '../audit/operations/read-events.ts';
import { bootstrap } from '../bootstrap/operations/bootstrap.ts';
import { operatorNamed } from '../core/actor.ts';
import { displayName } from '../core/display-name.ts';
import { isUuid } from '../core/identifiers.ts';
import { defaultHours, hoursExpected, isLifetime } from '../core/invitation-lifetime.ts';
import { pageRequest } from '../core/page.ts';
import type { Runtime } from '../core/runtime.ts';
import { reasonExpected, statedReason } from '../core/stated-reason.ts';
import { createImpersonationLink } from '../impersonation/operations/create-link.ts';
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
import { isOrganizationRole } from '../organizations/rules.ts';
import { cancelRecoveryLink } from '../recovery/operations/cancel-link.ts';
import type { Capability, OrganizationCapability } from '../roles/capabilities.ts';
import { entitleOperator } from '../roles/entitle.ts';
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
      impersonate: async (username, { reason }) => {
        const stated = requireReason(reason);
        const by = { ...may('user:impersonate'), actor: operator };
        return createImpersonationLink(runtime, by, await named(username), stated);
      },
      cancelRecoveryLink: async (username) =>
        cancelRecoveryLink(runtime, may('user:recover'), await named(username)),
      delete: async (username) => deleteUser(runtime, may('user:manage'), await idOf(username)),
      erase: async (id) => {
        requireUuid('id', id);
        return eraseUser(runtime, may('user:manage'), id);
      },
    },

    organizations: {
      list: async (page = {}) => listOrganizations(runtime, operator, pageRequest(page)),
      addMember: async (slug, { username, role = 'user' }) => {
        requireOrganizationRole(role);
        return addMember(runtime, await mayIn('organization:members:add', slug), { username, role });
      },
      invite: async (slug, { username, role = 'user', expiresInHours = defaultHours } = {}) => {
        requireOrganizationRole(role);
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
    },

    audit: {
      list: async ({ limit, cursor, ...search } = {}) =>
        listEvents(runtime, audit, { ...pageRequest({ limit, cursor }), ...filterOf(search) }),
      export: async (search = {}) => exportEvents(runtime, audit, filterOf(search)),
    },
  };
}

/** @throws TypeError for an invalid display name */
function displayNameOf(given: string | null | undefined): string | null | undefined {
  if (given == null) return given;
  const name = displayName(given);
  if (name === null)
    throw new TypeError('displayName: expected 1 to 64 characters without control characters, or null');
  return name;
}

/** @throws TypeError for an invalid reason */
function requireReason(given: string): string {
  const reason = statedReason(given);
  if (reason === null) throw new TypeError(`reason: ${reasonExpected}`);
  return reason;
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

/** @throws TypeError for an invalid role */
function requireOrganizationRole(role: string): void {
  if (!isOrganizationRole(role)) throw new TypeError(`role: expected "user" or "admin", not ${role}`);
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
  for (const name of ['actorId', 'impersonatorId', 'targetId', 'organizationId'] as const) {
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
