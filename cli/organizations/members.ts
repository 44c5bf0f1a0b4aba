import { command } from '../command.ts';
import { pageFlags, remarkNextPage } from '../commands/pages.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, table, utcTime } from '../output.ts';
import { withService } from '../service.ts';
import { printable } from '../words/printable.ts';
import { requireRole } from './roles.ts';

export const roleFlag = {
  role: {
    type: 'string',
    value: 'role',
    about: 'Role in the organization: user, admin or one of organizationRoles (default user)',
  },
} as const;

const members = command({
  args: '<slug>',
  flags: {
    query: {
      type: 'string',
      value: 'text',
      about: 'Only members whose username or display name begins with this text',
    },
    ...pageFlags,
  },
  async run({ args: [slug = ''], flags, json }) {
    const page = await withService(({ operator }) => operator.organizations.listMembers(slug, flags));
    if (json) return printJson(page);
    if (page.members.length === 0)
      return print(
        flags.query === undefined
          ? 'No members. Add one with `latchkey organizations add-member`.'
          : 'No members match.',
      );
    const rows = page.members.map(({ user, role, joinedAt }) => [
      user.username,
      role,
      utcTime(joinedAt),
      user.displayName ?? '',
    ]);
    print(table(['USERNAME', 'ROLE', 'JOINED (UTC)', 'DISPLAY NAME'], rows));
    return remarkNextPage(page);
  },
});

const addMember = command({
  args: '<slug> <username>',
  flags: { ...roleFlag, ...yesFlag },
  async run(input) {
    const [slug = '', username = ''] = input.args;
    const { role } = input.flags;
    const question = `Add ${username} to ${slug} without an invitation? To ask the user first, run \`latchkey organizations invite\`.`;
    if (!(await confirmed(input, question, 'organizations'))) return exitCodes.stopped;
    const member = await withService(({ auth, operator }) => {
      requireRole(auth, role);
      return operator.organizations.addMember(slug, { username, role });
    });
    return input.json
      ? printJson({ member })
      : print(`${printable(member.user.username)} is a member of ${slug} with the role ${member.role}.`);
  },
});

const changeRole = command({
  args: '<slug> <username> <role>',
  flags: yesFlag,
  note: 'The role is user, admin or a role of the option organizationRoles.',
  async run(input) {
    const [slug = '', username = '', role = ''] = input.args;
    if (!(await confirmed(input, `Change the role of ${username} in ${slug} to ${role}?`, 'organizations')))
      return exitCodes.stopped;
    const member = await withService(({ auth, operator }) => {
      requireRole(auth, role);
      return operator.organizations.changeMemberRole(slug, username, role);
    });
    return input.json
      ? printJson({ member })
      : print(`${printable(member.user.username)} has the role ${member.role} in ${slug}.`);
  },
});

const removeMember = command({
  args: '<slug> <username>',
  flags: yesFlag,
  async run(input) {
    const [slug = '', username = ''] = input.args;
    if (!(await confirmed(input, `Remove ${username} from ${slug}?`, 'organizations')))
      return exitCodes.stopped;
    await withService(({ operator }) => operator.organizations.removeMember(slug, username));
    return input.json
      ? printJson({ removed: username })
      : print(`${printable(username)} is no longer a member of ${slug}.`);
  },
});

export const memberCommands = {
  members,
  'add-member': addMember,
  'change-role': changeRole,
  'remove-member': removeMember,
};
