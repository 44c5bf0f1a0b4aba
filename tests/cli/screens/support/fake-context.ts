import {
  AuthError,
  type BootstrapOptions,
  type OperatorOrganizations,
  type OperatorWebhooks,
  type UserStatus,
} from 'latchkey';
import type { CliContext } from '../../../../cli/cli-context.ts';
import { type FakeState, invitationOf } from './fake-state.ts';
import { type FakeUser, filterUsers, userOf } from './users.ts';

/** Creates a CliContext that reads and changes a fake state. */
export function createFakeContext(state: FakeState): CliContext {
  const call = async <T>(name: string, args: unknown[], answer: () => T): Promise<T> => {
    state.calls.push([name, ...args]);
    if (state.gate) await state.gate;
    if (state.failure) throw state.failure;
    return answer();
  };
  const find = (username: string) => {
    const found = state.users.find(({ user }) => user.username === username);
    if (!found) throw new AuthError('not_found');
    return found;
  };
  const page = <Name extends string, T>(name: Name, all: T[], cursor: string | undefined) => {
    const from = Number(cursor ?? 0);
    const end = from + state.pageSize;
    const nextCursor = end < all.length ? String(end) : null;
    return { ...({ [name]: all.slice(from, end) } as Record<Name, T[]>), nextCursor };
  };
  const change = (name: string, username: string, apply: (found: FakeUser) => void) =>
    call(name, [username], () => {
      apply(find(username));
      return find(username).user;
    });
  return {
    operatorName: 'me@here',
    origin: 'https://example.com',
    database: 'latchkey@db:5432/app',
    schema: state.schema,
    passwordMinLength: 8,
    features: state.features,
    checkUsername: (username) =>
      call('checkUsername', [username], () => {
        const isTaken = state.users.some(({ user }) => user.username === username);
        const reason = username.length < 3 ? 'invalid' : isTaken ? 'taken' : null;
        return { username, available: reason === null, reason };
      }),
    runDoctor: () => call('runDoctor', [], () => state.checks),
    operator: {
      secretUses: () => Promise.reject(new TypeError('no screen reads the uses of secrets')),
      overview: () =>
        call('overview', [], () => ({
          users: state.users.length,
          organizations: 0,
          pendingInvitations: state.invitations.filter(({ status }) => status === 'pending').length,
          bootstrap: state.bootstrap,
          unfinishedSuperadmin:
            state.bootstrap === 'unfinished' ? (state.users[0]?.user.username ?? null) : null,
          superadmins: state.users.map(({ user }) => user).filter(({ role }) => role === 'superadmin'),
        })),
      bootstrap: (request: BootstrapOptions) =>
        call('bootstrap', [request], () => {
          if (request.password === 'password') {
            const message = 'This password is too common.';
            throw new AuthError('password_unacceptable', { message });
          }
          const hasPassword = request.password !== undefined;
          state.users.push(userOf(request.username, { role: 'superadmin', hasPassword, passkeyCount: 0 }));
          const link = {
            token: 't',
            url: 'https://example.com/recover#token=t',
            usableAt: '2026-01-01T00:00:00Z',
            expiresAt: state.linksExpireAt,
          };
          return { user: find(request.username).user, link: hasPassword ? null : link };
        }),
      invitations: {
        list: ({ status, cursor } = {}) =>
          call('invitations.list', [status], () =>
            page(
              'invitations',
              state.invitations.filter((invitation) => !status || invitation.status === status),
              cursor,
            ),
          ),
        create: (request = {}) =>
          call('invitations.create', [request], () => {
            const id = `invitation-${state.invitations.length + 1}`;
            const invitation = invitationOf({ id, username: request.username ?? null });
            state.invitations.unshift(invitation);
            return { invitation, token: 'secret', url: 'https://example.com/invitation#token=secret' };
          }),
        revoke: (id) =>
          call('invitations.revoke', [id], () => {
            state.invitations = state.invitations.map((invitation) =>
              invitation.id === id ? { ...invitation, status: 'revoked' } : invitation,
            );
          }),
      },
      users: {
        list: (search = {}) =>
          call('users.list', [search], () => page('users', filterUsers(state.users, search), search.cursor)),
        get: (username) => call('users.get', [username], () => find(username)),
        byId: () => Promise.reject(new TypeError('no screen reads users by id')),
        bySourceId: () => Promise.reject(new TypeError('no screen reads users by source id')),
        create: () => Promise.reject(new TypeError('no screen creates users')),
        import: () => Promise.reject(new TypeError('no screen imports users')),
        update: (username, changes) => call('users.update', [username, changes], () => find(username).user),
        countUnderOtherRules: () => call('users.countUnderOtherRules', [], () => 0),
        testAuthenticatorPolicy: () =>
          call('users.testAuthenticatorPolicy', [], () => ({
            users: [],
            total: 0,
            shutOut: 0,
            checkSignIns: false,
          })),
        rename: (username, newUsername) =>
          call('users.rename', [username, newUsername], () => find(username).user),
        changeRole: (username, role) =>
          change('users.changeRole', username, ({ user }) => {
            const others = state.users.filter((found) => found.user.role === 'superadmin');
            if (user.role === 'superadmin' && others.length === 1) throw new AuthError('last_superadmin');
            user.role = role;
          }),
        disable: (username) => change('users.disable', username, setStatus('disabled')),
        enable: (username) => change('users.enable', username, setStatus('active')),
        endSessions: (username) => call('users.endSessions', [username], () => 2),
        endSession: () => Promise.reject(new TypeError('no screen ends one session')),
        endAllSessions: () => Promise.reject(new TypeError('no screen ends all sessions')),
        impersonate: (username, request) =>
          call('users.impersonate', [username, request], () => ({
            token: 'secret',
            url: 'https://example.com/impersonate#token=secret',
            expiresAt: '2026-03-01T12:05:00Z',
          })),
        createRecoveryLink: (username) =>
          call('users.createRecoveryLink', [username], () => ({
            token: 'way-back',
            url: 'https://example.com/recover#token=way-back',
            usableAt: '2026-01-01T00:00:00Z',
            expiresAt: state.linksExpireAt,
          })),
        cancelRecoveryLink: (username) =>
          call('users.cancelRecoveryLink', [username], () => {
            const found = find(username);
            if (!found.recoveryLink) throw new AuthError('not_found');
            found.recoveryLink = null;
          }),
        delete: (username) =>
          call('users.delete', [username], () => {
            state.users = state.users.filter(({ user }) => user.username !== username);
          }),
        erase: () => Promise.reject(new TypeError('no screen erases users')),
        export: () => Promise.reject(new TypeError('no screen exports users')),
      },
      organizations: noOrganizations,
      webhooks: noWebhooks,
      audit: {
        backlog: async () => ({ waitingSeconds: 0 }),
        list: ({ cursor, ...search } = {}) =>
          call('audit.list', [search], () =>
            page(
              'events',
              state.events.filter(
                ({ event, outcome, actor }) =>
                  event.startsWith(search.event ?? '') &&
                  (!search.outcome || outcome === search.outcome) &&
                  (!search.actorId || actor.id === search.actorId),
              ),
              cursor,
            ),
          ),
        export: () => Promise.reject(new TypeError('no screen exports')),
        feed: () => Promise.reject(new TypeError('no screen follows the log by position')),
        verify: () => Promise.reject(new TypeError('no screen verifies the audit log')),
        prove: () => Promise.reject(new TypeError('no screen proves events')),
        checkpoint: () => Promise.reject(new TypeError('no screen shows checkpoints')),
        startNewLog: () => Promise.reject(new TypeError('no screen starts a new audit log')),
      },
    },
  };
}

/** No screen calls these methods. */
const noOrganizations = new Proxy({} as OperatorOrganizations, {
  get: (_, method) => () => Promise.reject(new TypeError(`no screen calls organizations.${String(method)}`)),
});

const setStatus =
  (status: UserStatus) =>
  ({ user }: FakeUser) => {
    user.status = status;
  };

/** No screen calls these methods. */
const noWebhooks = new Proxy({} as OperatorWebhooks, {
  get: (_, method) => () => Promise.reject(new TypeError(`no screen calls webhooks.${String(method)}`)),
});
