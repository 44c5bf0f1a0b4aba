import { changeRole } from '../accounts/operations/change-role.ts';
import { disableUser, enableUser } from '../accounts/operations/change-status.ts';
import { countOtherUsernames } from '../accounts/operations/count-other-usernames.ts';
import { createRecoveryLink } from '../accounts/operations/create-recovery-link.ts';
import { deleteUser } from '../accounts/operations/delete-user.ts';
import { endAllSessions } from '../accounts/operations/end-all-sessions.ts';
import { endSessionOf, endSessionsOf } from '../accounts/operations/end-sessions.ts';
import { eraseUser } from '../accounts/operations/erase-user.ts';
import { exportUser } from '../accounts/operations/export-user.ts';
import { findUserNamed } from '../accounts/operations/find-users.ts';
import { listUsers } from '../accounts/operations/list-users.ts';
import { getUserDetails, getUserDetailsById, readOverview } from '../accounts/operations/overview.ts';
import { renameUser } from '../accounts/operations/rename.ts';
import { updateProfileOf } from '../accounts/operations/update-profile.ts';
import type { UserToExport } from '../accounts/user-export.ts';
import { eventsNamed } from '../audit/event-names.ts';
import { eventNamesIn, startOf } from '../audit/feed/options.ts';
import { confirmRefusal } from '../audit/operations/confirm-refusal.ts';
import { proveEvent, readAuditCheckpoint } from '../audit/operations/prove-event.ts';
import { readBacklog } from '../audit/operations/read-backlog.ts';
import { exportEvents, listEvents } from '../audit/operations/read-events.ts';
import { readFeed } from '../audit/operations/read-feed.ts';
import { startNewLog } from '../audit/operations/start-new-log.ts';
import { verifyLog } from '../audit/operations/verify-log.ts';
import { bootstrap } from '../bootstrap/operations/bootstrap.ts';
import { operatorNamed } from '../core/actor.ts';
import { displayName } from '../core/display-name.ts';
import { AuthError } from '../core/errors.ts';
import { defaultHours } from '../core/invitation-lifetime.ts';
import { pageRequest } from '../core/page.ts';
import type { Runtime } from '../core/runtime.ts';
import { reasonExpected, statedReason } from '../core/stated-reason.ts';
import { createImpersonationLink } from '../impersonation/operations/create-link.ts';
import { createInvitation, createUserInvitation } from '../invitations/operations/create.ts';
import { listInvitations } from '../invitations/operations/list.ts';
import { revokeInvitation } from '../invitations/operations/revoke.ts';
import { findOrganizationWithSlug } from '../organizations/operations/find-organization.ts';
import { readSecretUses } from '../overview/operations/read-secret-uses.ts';
import { testPolicy } from '../passkeys/operations/test-policy.ts';
import { createUser } from '../provisioning/operations/create-user.ts';
import { findImportedUser } from '../provisioning/operations/find-imported-user.ts';
import { importUsers } from '../provisioning/operations/import-users.ts';
import { cancelRecoveryLink } from '../recovery/operations/cancel-link.ts';
import type { Capability } from '../roles/capabilities.ts';
import { entitleOperator } from '../roles/entitle.ts';
import { importSettings } from './import-settings.ts';
import type { OperatorActions } from './operator.ts';
import {
  checkedVerification,
  requireBoolean,
  requireInvitedRole,
  requireLifetime,
  requireText,
  requireUuid,
  timeOf,
  userSearchOf,
} from './operator-arguments.ts';
import type { AuditSearch } from './operator-audit.ts';
import { organizationActions } from './organization-actions.ts';
import { webhookActions } from './webhook-actions.ts';

/** Implements `auth.asOperator`. @throws TypeError for an invalid name */
export const operatorActions = (runtime: Runtime, name: string): OperatorActions =>
  confirmRefusals(runtime, actionsOf(runtime, name));

/** Makes the refusals of every action wait for a standby. See `confirmRefusal`. */
function confirmRefusals<Actions extends object>(runtime: Runtime, actions: Actions): Actions {
  const confirmed = Object.entries(actions).map(([name, action]) => [
    name,
    typeof action === 'function' ? confirming(runtime, action) : confirmRefusals(runtime, action),
  ]);
  return Object.fromEntries(confirmed);
}

const confirming =
  (runtime: Runtime, action: (...given: unknown[]) => Promise<unknown>) =>
  async (...given: unknown[]): Promise<unknown> => {
    try {
      return await action(...given);
    } catch (error) {
      await confirmRefusal(runtime, error);
      throw error;
    }
  };

function actionsOf(runtime: Runtime, name: string): OperatorActions {
  const operator = operatorNamed(name);
  const may = <Name extends Capability>(capability: Name) => entitleOperator(capability, operator);
  const audit = { ...may('audit:read'), scope: null };
  const named = (username: string) => findUserNamed(runtime, username);
  const idOf = async (username: string) => (await named(username)).id;

  return {
    overview: () => readOverview(runtime, may('user:read')),
    secretUses: () => readSecretUses(runtime, may('user:read')),
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
      list: async ({ limit, cursor, organization, ...search } = {}) => {
        const request = { ...userSearchOf(search), ...pageRequest({ limit, cursor }) };
        if (organization !== undefined) requireText('organization', organization);
        const organizationId =
          organization === undefined ? undefined : (await findOrganizationWithSlug(runtime, organization)).id;
        return listUsers(runtime, may('user:read'), { ...request, organizationId });
      },
      get: (username) => getUserDetails(runtime, may('user:read'), username),
      byId: async (id) => {
        requireUuid('id', id);
        return getUserDetailsById(runtime, may('user:read'), id);
      },
      bySourceId: async (sourceId, { source = 'import' } = {}) => {
        requireText('sourceId', sourceId);
        requireText('source', source);
        const id = await findImportedUser(runtime, may('user:read'), { source, sourceId });
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
      testAuthenticatorPolicy: () => testPolicy(runtime, may('user:read')),
      countUnderOtherRules: () => countOtherUsernames(runtime, may('user:read')),
      rename: async (username, newUsername) =>
        renameUser(runtime, may('user:update'), await idOf(username), newUsername),
      changeRole: async (username, role) =>
        (await changeRole(runtime, may('role:assign'), await idOf(username), role)).user,
      disable: async (username, { reason } = {}) => {
        const stated = reason === undefined ? null : requireReason(reason);
        return disableUser(runtime, may('user:manage'), await idOf(username), stated);
      },
      enable: async (username) => enableUser(runtime, may('user:manage'), await idOf(username)),
      endSessions: async (username) => endSessionsOf(runtime, may('user:end_sessions'), await idOf(username)),
      endSession: async (username, sessionId) => {
        requireUuid('sessionId', sessionId);
        return endSessionOf(runtime, may('user:end_sessions'), await idOf(username), sessionId);
      },
      endAllSessions: async ({ recoveryLinks = false } = {}) => {
        requireBoolean('recoveryLinks', recoveryLinks);
        return endAllSessions(runtime, may('user:end_sessions'), { recoveryLinks });
      },
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
      export: async (user) => {
        return exportUser(runtime, may('user:manage'), await idToExport(user, idOf));
      },
    },

    organizations: organizationActions(runtime, operator, may),
    webhooks: webhookActions(runtime, operator, may),

    audit: {
      list: async ({ limit, cursor, ...search } = {}) =>
        listEvents(runtime, audit, { ...pageRequest({ limit, cursor }), ...filterOf(search) }),
      export: async (search = {}) => exportEvents(runtime, audit, filterOf(search)),
      feed: async ({ after = null, events, limit } = {}) =>
        readFeed(runtime, audit, {
          after: startOf(after),
          events: eventNamesIn(events),
          limit: pageRequest({ limit }).limit,
        }),
      verify: async (options = {}) => verifyLog(runtime, audit, checkedVerification(options)),
      prove: async (eventId) => {
        requireUuid('eventId', eventId);
        const proof = await proveEvent(runtime, audit, eventId);
        if (proof !== null) return proof;
        throw new AuthError('not_found', {
          message: 'the audit log has no entry for this event; a new event gets one after about a second',
        });
      },
      checkpoint: () => readAuditCheckpoint(runtime, audit),
      startNewLog: async ({ reason }) => startNewLog(runtime, operator, requireReason(reason)),
      backlog: () => readBacklog(runtime, audit),
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

/** @throws TypeError for an invalid reason */
function requireReason(given: string): string {
  const reason = statedReason(given);
  if (reason === null) throw new TypeError(`reason: ${reasonExpected}`);
  return reason;
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
