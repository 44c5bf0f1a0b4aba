import { type PendingRecoveryLink, roles, type Session, type User, type UserDetails } from 'latchkey';
import { command } from '../command.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, table, utcTime } from '../output.ts';
import { withOwnedService, withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { userIdOf } from '../user-id.ts';
import { count } from '../words/count.ts';
import { printable } from '../words/printable.ts';
import { pageFlags, remarkNextPage } from './pages.ts';
import { createUser } from './user-create.ts';
import { endAllSessions, endSessions } from './user-end-sessions.ts';
import { exportUser } from './user-export.ts';
import { importUsers } from './user-import.ts';

const list = command({
  flags: {
    query: {
      type: 'string',
      value: 'text',
      about: 'Only users whose username or display name begins with this text',
    },
    role: { type: 'string', choices: roles, about: 'Only users with this role' },
    status: { type: 'string', choices: ['active', 'disabled'], about: 'Only users with this status' },
    ...pageFlags,
  },
  async run({ flags, json }) {
    const page = await withService(({ operator }) => operator.users.list(flags));
    if (json) return printJson(page);
    if (page.users.length === 0) return print('No users match.');
    const rows = page.users.map(({ username, displayName, role, status, createdAt }) => [
      username,
      role,
      status,
      utcTime(createdAt),
      displayName ?? '',
    ]);
    print(table(['USERNAME', 'ROLE', 'STATUS', 'CREATED (UTC)', 'DISPLAY NAME'], rows));
    return remarkNextPage(page);
  },
});

const get = command({
  args: '<username>',
  async run({ args: [username = ''], json }) {
    const { hasOrganizations, details } = await withService(async ({ auth, operator }) => ({
      hasOrganizations: auth.config.organizations !== null,
      details: await operator.users.get(username),
    }));
    if (json) return printJson(details);
    const { user, disabledReason, lastSignIn, recoveryLink, passkeys, sessions, memberships } = details;
    print(
      facts([
        ['Username', user.username],
        ['Display name', user.displayName ?? '–'],
        ['ID', user.id],
        ['Role', user.role],
        ['Status', disabledReason === null ? user.status : `${user.status}: ${printable(disabledReason)}`],
        ['Created', `${utcTime(user.createdAt)} UTC`],
        ['Last sign-in', lastSignIn ? `${utcTime(lastSignIn.at)} UTC, ${lastSignIn.method}` : 'never'],
        ['Passkeys', `${user.passkeyCount}`],
        ['Password', user.hasPassword ? 'yes' : 'no'],
        ['Recovery codes', `${user.recoveryCodesRemaining} left`],
        ['Recovery link', recoveryLink ? describeLink(recoveryLink) : 'none'],
        ...(hasOrganizations ? [['Organizations', describeMemberships(memberships)] as const] : []),
        ['Sessions', `${sessions.length}`],
      ]),
    );
    if (passkeys.length > 0) print('', passkeyTable(passkeys));
    if (sessions.length > 0) print('', sessionTable(sessions));
  },
});

function describeMemberships(memberships: UserDetails['memberships']): string {
  const admins = memberships.filter(({ role }) => role === 'admin').length;
  return memberships.length === 0 ? 'none' : `${memberships.length} (organization admin in ${admins})`;
}

function describeLink({ createdBy, usedAt, usableAt, expiresAt }: PendingRecoveryLink): string {
  const creator = `created by ${createdBy?.username ?? 'an operator'}`;
  if (usedAt !== null) return `${creator}, in use since ${utcTime(usedAt)} UTC`;
  return Date.parse(usableAt) > Date.now()
    ? `${creator}, usable from ${utcTime(usableAt)} UTC`
    : `${creator}, expires ${utcTime(expiresAt)} UTC`;
}

/** Without attestation, the model is only a claim of the browser. */
const passkeyTable = (passkeys: UserDetails['passkeys']): string =>
  table(
    ['PASSKEY', 'MODEL', 'MODEL IS', 'ADDED (UTC)', 'LAST USED (UTC)'],
    passkeys.map(({ label, provider, attested, createdAt, lastUsedAt }) => [
      printable(label),
      provider ?? '–',
      attested ? 'attested' : 'claimed',
      utcTime(createdAt),
      lastUsedAt ? utcTime(lastUsedAt) : 'never',
    ]),
  );

const sessionTable = (sessions: readonly Session[]): string =>
  table(
    ['ID', 'KIND', 'METHOD', 'LAST SEEN (UTC)', 'EXPIRES (UTC)', 'IP ADDRESS', 'BROWSER'],
    sessions.map(({ id, kind, method, impersonator, lastSeenAt, expiresAt, ip, userAgent }) => [
      id,
      kind,
      impersonator ? `${method} by ${printable(impersonator.name)}` : method,
      utcTime(lastSeenAt),
      utcTime(expiresAt),
      ip ?? '–',
      (userAgent ?? '–').slice(0, 60),
    ]),
  );

const changeRole = command({
  args: '<username> <role>',
  flags: yesFlag,
  note: 'The role is user, admin or superadmin.',
  async run(input) {
    const [username = '', wanted = ''] = input.args;
    const role = roles.find((known) => known === wanted);
    if (role === undefined)
      throw new UsageError(`Unknown role "${wanted}". Expected user, admin or superadmin.`);
    if (!(await confirmed(input, `Change the role of ${username} to ${role}?`))) return exitCodes.stopped;
    const user = await withService(({ operator }) => operator.users.changeRole(username, role));
    return input.json
      ? printJson({ user })
      : print(`${printable(user.username)} has the role ${user.role}. This takes effect immediately.`);
  },
});

const disable = command({
  args: '<username>',
  flags: {
    ...yesFlag,
    reason: { type: 'string', value: 'text', about: 'The reason, for superadmins and the audit log' },
  },
  async run(input) {
    const [username = ''] = input.args;
    const { reason } = input.flags;
    if (reason !== undefined) requireReason(reason);
    if (!(await confirmed(input, `Disable ${username} and end their sessions?`))) return exitCodes.stopped;
    const user = await withService(({ operator }) => operator.users.disable(username, { reason }));
    return printUser(user, input.json, 'is disabled and cannot sign in.');
  },
});

const enable = command({
  args: '<username>',
  async run({ args: [username = ''], json }) {
    const user = await withService(({ operator }) => operator.users.enable(username));
    return printUser(user, json, 'is enabled and can sign in.');
  },
});

const printUser = (user: User, json: boolean, text: string) =>
  json ? printJson({ user }) : print(`${printable(user.username)} ${text}`);

const createRecoveryLink = command({
  args: '<username>',
  async run({ args: [username = ''], json }) {
    const link = await withService(({ operator }) => operator.users.createRecoveryLink(username));
    if (json) return printJson(link);
    print(
      facts([
        ['Link', link.url],
        ['Usable from', `${utcTime(link.usableAt)} UTC`],
        ['Expires', `${utcTime(link.expiresAt)} UTC`],
      ]),
    );
    return remark(
      '',
      'The link is shown only once. It is single-use and lets the user add a new passkey.',
      `In every session, ${username} sees a notice about the link and can cancel the link.`,
    );
  },
});

const cancelRecoveryLink = command({
  args: '<username>',
  async run({ args: [username = ''], json }) {
    await withService(({ operator }) => operator.users.cancelRecoveryLink(username));
    return json
      ? printJson({ canceled: username })
      : print(
          `Canceled the recovery link of ${username}. If the link was in use, its recovery session ended.`,
        );
  },
});

const impersonate = command({
  args: '<username>',
  flags: {
    reason: { type: 'string', value: 'text', about: 'Why this is necessary, for the audit log (required)' },
  },
  note: 'Needs IMPERSONATION=on or the option `impersonation: true`. The role of the user must be user or admin.',
  async run({ args: [username = ''], flags: { reason }, json }) {
    const stated = requireReason(reason);
    const link = await withService(({ operator }) =>
      operator.users.impersonate(username, { reason: stated }),
    );
    if (json) return printJson(link);
    print(
      facts([
        ['Link', link.url],
        ['Expires', `${utcTime(link.expiresAt)} UTC`],
      ]),
    );
    return remark(
      '',
      'The link is shown only once and is single-use. It replaces the session of the browser that opens it.',
      `The session as ${username} ends after an hour. ${username} sees it in the list of sessions.`,
    );
  },
});

function requireReason(given: string | undefined): string {
  if (given !== undefined && isReason(given)) return given;
  throw new UsageError('--reason: expected 1 to 200 characters without control characters.');
}

const isReason = (text: string): boolean => {
  const { length } = [...text.normalize('NFC').trim()];
  return length >= 1 && length <= 200 && /^\P{Cc}*$/u.test(text.trim());
};

const deleteUser = command({
  args: '<username>',
  flags: yesFlag,
  async run(input) {
    const [username = ''] = input.args;
    if (!(await confirmed(input, `Delete ${username} permanently? The username stays taken.`)))
      return exitCodes.stopped;
    await withService(({ operator }) => operator.users.delete(username));
    return input.json ? printJson({ deleted: username }) : print(`${printable(username)} is deleted.`);
  },
});

const eraseUser = command({
  args: '<user>',
  flags: yesFlag,
  note: 'The user is a username or an ID. For a deleted user, give the ID, which the audit log contains.',
  async run(input) {
    const [user = ''] = input.args;
    const question = `Erase ${user} permanently? This deletes the account, and replaces the username, the IP addresses and the browsers in the audit log.`;
    if (!(await confirmed(input, question))) return exitCodes.stopped;
    const erasure = await withOwnedService(async ({ operator }) =>
      operator.users.erase(await userIdOf(operator, user)),
    );
    return input.json
      ? printJson(erasure)
      : print(
          `Erased the user with the ID ${erasure.id}. Changed ${count(erasure.events, 'audit event')}.`,
          `The audit log now calls the user ${erasure.pseudonym}.`,
        );
  },
});

export const commands = {
  list,
  get,
  create: createUser,
  import: importUsers,
  'change-role': changeRole,
  disable,
  enable,
  'end-sessions': endSessions,
  'end-all-sessions': endAllSessions,
  'create-recovery-link': createRecoveryLink,
  'cancel-recovery-link': cancelRecoveryLink,
  impersonate,
  delete: deleteUser,
  erase: eraseUser,
  export: exportUser,
};
