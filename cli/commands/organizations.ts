import { type Command, type Given, numberFlag, textFlag } from '../command.ts';
import { confirmed, yesFlag, yesOption } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, shortTime, table } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { choice, pageFlags, pageOf, pageOptions, remarkOnRest } from './pages.ts';

const roles = ['user', 'admin'] as const;
const statuses = ['pending', 'accepted', 'declined', 'revoked', 'expired'] as const;

export const list: Command = {
  usage: '',
  options: pageOptions,
  flags: pageFlags,
  async run(given) {
    const page = await withService(({ operator }) => operator.organizations.list(pageOf(given)));
    if (given.json) printJson({ organizations: page.items, nextCursor: page.nextCursor });
    else if (page.items.length === 0) print('No organizations.');
    else {
      const rows = page.items.map(({ slug, createdAt, name }) => [slug, shortTime(createdAt), name]);
      print(table(['SLUG', 'SINCE (UTC)', 'NAME'], rows));
      remarkOnRest(page);
    }
    return undefined;
  },
};

const roleOption = ['--role <role>', 'user (default) or admin, within the organization'] as const;

export const invite: Command = {
  usage: '<slug> [--username <name>] [--role <role>] [--hours <n>]',
  options: [
    ['--username <name>', 'The user to invite. Default: a link that one user can accept'],
    roleOption,
    ['--hours <n>', 'How long it can be accepted, 1 to 720. Default: 72'],
  ],
  flags: { username: { type: 'string' }, role: { type: 'string' }, hours: { type: 'number' } },
  words: [1, 1],
  async run(given) {
    const [slug = ''] = given.words;
    const request = {
      username: textFlag(given, 'username'),
      role: choice(given, 'role', roles),
      expiresInHours: hoursOf(given),
    };
    const created = await withService(({ operator }) => operator.organizations.invite(slug, request));
    if (given.json) {
      printJson(created);
      return undefined;
    }
    const { invitation, url } = created;
    print(
      facts([
        ...(url === null ? [] : [['Link', url] as const]),
        ['For', invitation.username ?? 'anyone with the link'],
        ['Role', invitation.role],
        ['Until', `${shortTime(invitation.expiresAt)} UTC`],
        ['ID', invitation.id],
      ]),
    );
    remark(
      '',
      url === null
        ? `${invitation.username} can accept or decline it after signing in.`
        : 'The link is shown once. The user who opens it signs up or signs in, and accepts.',
    );
    return undefined;
  },
};

function hoursOf(given: Given): number | undefined {
  const hours = numberFlag(given, 'hours');
  if (hours === undefined || (Number.isInteger(hours) && hours >= 1 && hours <= 720)) return hours;
  throw new UsageError(`--hours: expected a whole number from 1 to 720, not ${hours}.`);
}

export const invitations: Command = {
  usage: '<slug> [--status <status>]',
  options: [['--status <status>', statuses.join(', ')], ...pageOptions],
  flags: { ...pageFlags, status: { type: 'string' } },
  words: [1, 1],
  async run(given) {
    const [slug = ''] = given.words;
    const search = { ...pageOf(given), status: choice(given, 'status', statuses) };
    const page = await withService(({ operator }) => operator.organizations.invitations(slug, search));
    if (given.json) printJson({ invitations: page.items, nextCursor: page.nextCursor });
    else if (page.items.length === 0) print('No invitations.');
    else {
      const rows = page.items.map(({ id, status, role, username, createdBy, acceptedBy, expiresAt }) => [
        id,
        status,
        role,
        username ?? 'anyone with the link',
        createdBy?.username ?? 'an operator',
        acceptedBy?.username ?? '–',
        shortTime(expiresAt),
      ]);
      print(table(['ID', 'STATUS', 'ROLE', 'FOR', 'BY', 'ACCEPTED BY', 'EXPIRES (UTC)'], rows));
      remarkOnRest(page);
    }
    return undefined;
  },
};

export const revoke: Command = {
  usage: '<slug> <id> [--yes]',
  options: [yesOption],
  flags: yesFlag,
  words: [2, 2],
  async run(given) {
    const [slug = '', id = ''] = given.words;
    if (!(await confirmed(given, `Revoke invitation ${id}?`))) return exitCodes.stopped;
    await withService(({ operator }) => operator.organizations.revokeInvitation(slug, id));
    if (given.json) printJson({ revoked: id });
    else print('Revoked.');
    return undefined;
  },
};

export const add: Command = {
  usage: '<slug> <username> [--role <role>] [--yes]',
  options: [roleOption, yesOption],
  flags: { ...yesFlag, role: { type: 'string' } },
  words: [2, 2],
  async run(given) {
    const [slug = '', username = ''] = given.words;
    const role = choice(given, 'role', roles);
    const question = `Add ${username} to ${slug} without an invitation? To ask first, use \`organizations invite\`.`;
    if (!(await confirmed(given, question))) return exitCodes.stopped;
    const member = await withService(({ operator }) =>
      operator.organizations.addMember(slug, { username, role }),
    );
    if (given.json) printJson({ member });
    else print(`${member.user.username} is a member of ${slug} with the role ${member.role}.`);
    return undefined;
  },
};
