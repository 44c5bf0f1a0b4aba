import { command } from '../command.ts';
import { hoursFlag } from '../commands/invitations.ts';
import { pageFlags, remarkNextPage } from '../commands/pages.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark, table, utcTime } from '../output.ts';
import { withService } from '../service.ts';
import { roleFlag } from './members.ts';
import { requireRole } from './roles.ts';

const invite = command({
  args: '<slug>',
  flags: {
    username: {
      type: 'string',
      value: 'name',
      about: 'The user to invite (default: anyone with the link)',
    },
    ...roleFlag,
    ...hoursFlag,
  },
  async run({ args: [slug = ''], flags: { username, role, hours }, json }) {
    const created = await withService(({ auth, operator }) => {
      requireRole(auth, role);
      return operator.organizations.invite(slug, { username, role, expiresInHours: hours });
    });
    if (json) return printJson(created);
    const { invitation, url } = created;
    print(
      facts([
        ...(url === null ? [] : [['Link', url] as const]),
        ['For', invitation.username ?? 'anyone with the link'],
        ['Role', invitation.role],
        ['Expires', `${utcTime(invitation.expiresAt)} UTC`],
        ['ID', invitation.id],
      ]),
    );
    return remark(
      '',
      url === null
        ? `${invitation.username} can accept or decline the invitation after signing in.`
        : 'The link is shown only once. To accept, the user opens it and signs up or signs in.',
    );
  },
});

const listInvitations = command({
  args: '<slug>',
  flags: {
    status: {
      type: 'string',
      choices: ['pending', 'accepted', 'declined', 'revoked', 'expired'],
      about: 'Only invitations with this status',
    },
    ...pageFlags,
  },
  async run({ args: [slug = ''], flags, json }) {
    const page = await withService(({ operator }) => operator.organizations.listInvitations(slug, flags));
    if (json) return printJson(page);
    if (page.invitations.length === 0)
      return print('No invitations. Create one with `latchkey organizations invite`.');
    const rows = page.invitations.map(({ id, status, role, username, createdBy, acceptedBy, expiresAt }) => [
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

const revokeInvitation = command({
  args: '<slug> <id>',
  flags: yesFlag,
  async run(input) {
    const [slug = '', id = ''] = input.args;
    if (!(await confirmed(input, `Revoke invitation ${id}?`, 'organizations'))) return exitCodes.stopped;
    await withService(({ operator }) => operator.organizations.revokeInvitation(slug, id));
    return input.json ? printJson({ revoked: id }) : print('Revoked the invitation.');
  },
});

export const invitationCommands = {
  invite,
  'list-invitations': listInvitations,
  'revoke-invitation': revokeInvitation,
};
