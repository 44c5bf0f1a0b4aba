import { type Command, numberFlag, textFlag } from '../command.ts';
import { confirmed, yesFlag, yesOption } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, shortTime, table } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { choice, pageFlags, pageOf, pageOptions, remarkOnRest } from './pages.ts';

const statuses = ['pending', 'accepted', 'revoked', 'expired'] as const;

export const list: Command = {
  usage: '[--status <status>]',
  options: [['--status <status>', statuses.join(', ')], ...pageOptions],
  flags: { ...pageFlags, status: { type: 'string' } },
  async run(given) {
    const search = { ...pageOf(given), status: choice(given, 'status', statuses) };
    const page = await withService(({ operator }) => operator.invitations.list(search));
    if (given.json) printJson({ invitations: page.items, nextCursor: page.nextCursor });
    else if (page.items.length === 0) print('No invitations.');
    else {
      const rows = page.items.map(({ id, status, username, createdBy, expiresAt, acceptedBy }) => [
        id,
        status,
        username ?? 'anybody',
        createdBy?.username ?? 'an operator',
        acceptedBy?.username ?? '–',
        shortTime(expiresAt),
      ]);
      print(table(['ID', 'STATUS', 'FOR', 'BY', 'ACCEPTED BY', 'EXPIRES (UTC)'], rows));
      remarkOnRest(page);
    }
    return undefined;
  },
};

export const create: Command = {
  usage: '[--username <name>] [--hours <n>]',
  options: [
    ['--username <name>', 'Whom it is for; whoever has the link by default'],
    ['--hours <n>', 'How long it can be accepted, 1 to 720; 72 by default'],
  ],
  flags: { username: { type: 'string' }, hours: { type: 'number' } },
  async run(given) {
    const hours = numberFlag(given, 'hours') ?? 72;
    if (!(Number.isInteger(hours) && hours >= 1 && hours <= 720))
      throw new UsageError('--hours: expected whole hours from 1 to 720.');
    const username = textFlag(given, 'username');
    const created = await withService(({ operator }) =>
      operator.invitations.create({ username, expiresInHours: hours }),
    );
    if (given.json) printJson(created);
    else {
      const { invitation, url } = created;
      print(
        facts([
          ['Link', url],
          ['For', invitation.username ?? 'whoever has the link'],
          ['Until', `${shortTime(invitation.expiresAt)} UTC`],
          ['ID', invitation.id],
        ]),
      );
      remark('', 'The link is shown this once. Whoever opens it signs up or signs in, and accepts.');
    }
    return undefined;
  },
};

export const revoke: Command = {
  usage: '<id> [--yes]',
  options: [yesOption],
  flags: yesFlag,
  words: [1, 1],
  async run(given) {
    const [id = ''] = given.words;
    if (!(await confirmed(given, `Revoke invitation ${id}?`))) return exitCodes.stopped;
    await withService(({ operator }) => operator.invitations.revoke(id));
    if (given.json) printJson({ revoked: id });
    else print('Revoked.');
    return undefined;
  },
};
