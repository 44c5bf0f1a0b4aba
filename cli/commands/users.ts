import type { PendingRecoveryLink, User } from 'latchkey';
import { type Command, type Given, hasFlag, textFlag } from '../command.ts';
import { confirmed, yesFlag, yesOption } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, shortTime, table } from '../output.ts';
import { type ServiceAtHand, withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { printable } from '../words/printable.ts';
import { choice, pageFlags, pageOf, pageOptions, remarkOnRest } from './pages.ts';

const roles = ['user', 'admin', 'superadmin'] as const;
const statuses = ['active', 'disabled'] as const;

export const list: Command = {
  usage: '[--query <text>] [--role <role>] [--status <status>]',
  options: [
    ['--query <text>', 'The beginning of a username or display name'],
    ['--role <role>', roles.join(', ')],
    ['--status <status>', statuses.join(', ')],
    ...pageOptions,
  ],
  flags: { ...pageFlags, query: { type: 'string' }, role: { type: 'string' }, status: { type: 'string' } },
  async run(given) {
    const search = {
      ...pageOf(given),
      query: textFlag(given, 'query'),
      role: choice(given, 'role', roles),
      status: choice(given, 'status', statuses),
    };
    const page = await withService(({ operator }) => operator.users.list(search));
    if (given.json) printJson({ users: page.items, nextCursor: page.nextCursor });
    else if (page.items.length === 0) print('Nobody.');
    else {
      const rows = page.items.map(({ username, displayName, role, status, createdAt }) => [
        username,
        role,
        status,
        shortTime(createdAt),
        displayName ?? '',
      ]);
      print(table(['USERNAME', 'ROLE', 'STATUS', 'SINCE (UTC)', 'NAME'], rows));
      remarkOnRest(page);
    }
    return undefined;
  },
};

export const show: Command = {
  usage: '<username>',
  words: [1, 1],
  async run({ words: [username = ''], json }) {
    const person = await withService(({ operator }) => operator.users.inspect(username));
    if (json) {
      printJson(person);
      return undefined;
    }
    const { user, recoveryLink, sessions, memberships } = person;
    const admins = memberships.filter(({ role }) => role === 'admin').length;
    print(
      facts([
        ['Username', user.username],
        ['Name', user.displayName ?? '–'],
        ['ID', user.id],
        ['Role', user.role],
        ['Status', user.status],
        ['Since', `${shortTime(user.createdAt)} UTC`],
        ['Passkeys', `${user.passkeyCount}`],
        ['Password', user.hasPassword ? 'yes' : 'no'],
        ['Recovery codes', `${user.recoveryCodesRemaining} left`],
        ['Recovery link', recoveryLink ? linkWords(recoveryLink) : 'none'],
        ['Sessions', `${sessions.length}`],
        ['Organizations', `${memberships.length}, admin of ${admins}`],
      ]),
    );
    return undefined;
  },
};

/** Who made a recovery link, and what it is good for now. */
function linkWords({ createdBy, usedAt, usableAt, expiresAt }: PendingRecoveryLink): string {
  const maker = `by ${createdBy?.username ?? 'an operator'}`;
  if (usedAt !== null) return `${maker}, in use since ${shortTime(usedAt)} UTC`;
  return `${maker}, usable from ${shortTime(usableAt)} to ${shortTime(expiresAt)} UTC`;
}

/** A command that changes one person and prints who they are now. */
const change = (
  question: (username: string) => string | null,
  act: (service: ServiceAtHand, username: string) => Promise<User>,
  done: (user: User) => string,
): Command => ({
  usage: question('') === null ? '<username>' : '<username> [--yes]',
  options: question('') === null ? [] : [yesOption],
  flags: yesFlag,
  words: [1, 1],
  async run(given) {
    const [username = ''] = given.words;
    const asked = question(username);
    if (asked !== null && !(await confirmed(given, asked))) return exitCodes.stopped;
    const user = await withService((service) => act(service, username));
    if (given.json) printJson({ user });
    else print(printable(done(user)));
    return undefined;
  },
});

export const disable = change(
  (username) => `Disable ${username} and end every session of theirs?`,
  ({ operator }, username) => operator.users.disable(username),
  ({ username }) => `${username} is disabled.`,
);

export const enable = change(
  () => null,
  ({ operator }, username) => operator.users.enable(username),
  ({ username }) => `${username} is enabled and can sign in.`,
);

export const role: Command = {
  usage: `<username> ${roles.join('|')} [--yes]`,
  options: [yesOption],
  flags: yesFlag,
  words: [2, 2],
  async run(given) {
    const [username = '', wanted = ''] = given.words;
    const to = roles.find((known) => known === wanted);
    if (to === undefined) throw new UsageError(`Expected one of ${roles.join(', ')}, not \`${wanted}\`.`);
    if (!(await confirmed(given, `Make ${username} ${article(to)}?`))) return exitCodes.stopped;
    const user = await withService(({ operator }) => operator.users.changeRole(username, to));
    if (given.json) printJson({ user });
    else print(`${printable(user.username)} is ${article(user.role)} from the next request on.`);
    return undefined;
  },
};

const article = (role: string) => (role === 'admin' ? 'an admin' : `a ${role}`);

export const recover: Command = {
  usage: '<username>',
  words: [1, 1],
  async run({ words: [username = ''], json }) {
    const link = await withService(({ operator }) => operator.users.createRecoveryLink(username));
    if (json) printJson(link);
    else {
      print(
        facts([
          ['Link', link.url],
          ['From', `${shortTime(link.usableAt)} UTC`],
          ['Until', `${shortTime(link.expiresAt)} UTC`],
        ]),
      );
      remark(
        '',
        'The link is shown once and can be used once, to make a new passkey.',
        `${username} sees it in every session and can cancel it.`,
      );
    }
    return undefined;
  },
};

export const cancelRecovery: Command = {
  usage: '<username>',
  words: [1, 1],
  async run({ words: [username = ''], json }) {
    await withService(({ operator }) => operator.users.cancelRecoveryLink(username));
    if (json) printJson({ canceled: username });
    else print(`Canceled the recovery link of ${username} and any recovery that it opened.`);
    return undefined;
  },
};

export const sessions: Command = {
  usage: '<username> [--end]',
  options: [['--end', 'End them all'], yesOption],
  flags: { ...yesFlag, end: { type: 'boolean' } },
  words: [1, 1],
  run: (given) => (hasFlag(given, 'end') ? endSessions(given) : showSessions(given)),
};

async function showSessions({ words: [username = ''], json }: Given): Promise<undefined> {
  const { sessions } = await withService(({ operator }) => operator.users.inspect(username));
  if (json) printJson({ sessions });
  else if (sessions.length === 0) print('No sessions.');
  else {
    const rows = sessions.map(({ kind, method, lastSeenAt, expiresAt, ip, userAgent }) => [
      kind,
      method,
      shortTime(lastSeenAt),
      shortTime(expiresAt),
      ip ?? '–',
      (userAgent ?? '–').slice(0, 60),
    ]);
    print(table(['KIND', 'BY', 'SEEN (UTC)', 'UNTIL (UTC)', 'ADDRESS', 'BROWSER'], rows));
  }
}

async function endSessions(given: Given): Promise<number | undefined> {
  const [username = ''] = given.words;
  if (!(await confirmed(given, `End every session of ${username}?`))) return exitCodes.stopped;
  const ended = await withService(({ operator }) => operator.users.endSessions(username));
  if (given.json) printJson({ ended });
  else print(`Ended ${ended} session${ended === 1 ? '' : 's'}.`);
  return undefined;
}

export const remove: Command = {
  usage: '<username> [--yes]',
  options: [yesOption],
  flags: yesFlag,
  words: [1, 1],
  async run(given) {
    const [username = ''] = given.words;
    if (!(await confirmed(given, `Delete ${username} for ever? The name stays taken.`)))
      return exitCodes.stopped;
    await withService(({ operator }) => operator.users.remove(username));
    if (given.json) printJson({ deleted: username });
    else print(`${printable(username)} is deleted.`);
    return undefined;
  },
};
