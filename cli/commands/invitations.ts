import { command } from '../command.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Features } from '../features.ts';
import { facts, print, printJson, remark, table, utcTime } from '../output.ts';
import { withService } from '../service.ts';
import { nameSetting, requireFeature } from '../switched-off.ts';
import { pageFlags, remarkNextPage } from './pages.ts';

const list = command({
  flags: {
    status: {
      type: 'string',
      choices: ['pending', 'accepted', 'revoked', 'expired'],
      about: 'Only invitations with this status',
    },
    role: { type: 'string', choices: ['user', 'admin'], about: 'Only invitations for this role' },
    ...pageFlags,
  },
  async run({ flags, json }) {
    requireFeature('invitations');
    const page = await withService(({ operator }) => operator.invitations.list(flags));
    if (json) return printJson(page);
    if (page.invitations.length === 0)
      return print('No invitations. Create one with `latchkey invitations create`.');
    const rows = page.invitations.map(({ id, status, role, username, createdBy, expiresAt, acceptedBy }) => [
      id,
      status,
      role,
      username ?? 'anyone with the link',
      createdBy?.username ?? 'an operator',
      acceptedBy?.username ?? '–',
      utcTime(expiresAt),
    ]);
    print(table(['ID', 'STATUS', 'ROLE', 'FOR', 'INVITED BY', 'ACCEPTED BY', 'EXPIRES (UTC)'], rows));
    return remarkNextPage(page);
  },
});

export const hoursFlag = {
  hours: { type: 'number', range: [1, 720], about: 'Hours until the invitation expires (default 72)' },
} as const;

const create = command({
  flags: {
    username: {
      type: 'string',
      value: 'name',
      about: 'The user who can accept (default: anyone with the link)',
    },
    role: {
      type: 'string',
      choices: ['user', 'admin'],
      about: 'user: to sign up; admin: to become an admin (default admin)',
      without: ({ adminInvitations, userInvitations }: Features) => {
        if (!adminInvitations) return { about: 'user: to sign up (required)', choices: ['user'] };
        return userInvitations ? null : { about: 'admin: to become an admin (default)', choices: ['admin'] };
      },
    },
    ...hoursFlag,
  },
  async run({ flags: { username, role = 'admin', hours = 72 }, json }) {
    const created = await withService(({ operator }) =>
      operator.invitations.create({ username, role, expiresInHours: hours }),
    ).catch(nameSetting(role === 'user' ? 'userInvitations' : 'adminInvitations'));
    if (json) return printJson(created);
    const { invitation, url } = created;
    print(
      facts([
        ['Link', url],
        ['For', invitation.username ?? 'anyone with the link'],
        ['Role', invitation.role],
        ['Expires', `${utcTime(invitation.expiresAt)} UTC`],
        ['ID', invitation.id],
      ]),
    );
    const next =
      invitation.role === 'user'
        ? 'The user opens it and signs up.'
        : 'To accept, the user opens it and signs up or signs in.';
    return remark('', `The link is shown only once. ${next}`);
  },
});

const revoke = command({
  args: '<id>',
  flags: yesFlag,
  async run(input) {
    const [id = ''] = input.args;
    requireFeature('invitations');
    if (!(await confirmed(input, `Revoke invitation ${id}?`))) return exitCodes.stopped;
    await withService(({ operator }) => operator.invitations.revoke(id));
    return input.json ? printJson({ revoked: id }) : print('Revoked the invitation.');
  },
});

export const commands = { list, create, revoke };
