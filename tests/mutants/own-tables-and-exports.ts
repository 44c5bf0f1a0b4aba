import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/organizations/store/export.ts',
    replace: 'organizations.created_by = ${userId}::uuid and organizations.id > ${after}::uuid',
    by: 'organizations.id > ${after}::uuid',
    breaks: 'The export of a user contains the organizations that other users created',
    killedBy: ['tests/features/user-export.test.ts'],
  },
  {
    file: 'src/accounts/operations/export-created-organizations.ts',
    replace: 'if (rows.length < batch) return;',
    by: 'return;',
    breaks: 'The export of a user leaves out organizations',
    killedBy: ['tests/features/user-export.test.ts'],
  },
  {
    file: 'src/audit/operations/refuse-still-referenced.ts',
    replace: 'isOperator(actor)',
    by: 'actor',
    breaks: 'A user whose account cannot be deleted learns the names of tables of the application',
    killedBy: ['tests/features/own-tables.test.ts'],
  },
  {
    file: 'src/accounts/exported-event.ts',
    replace: 'ip: isSender ? event.ip : null',
    by: 'ip: event.ip',
    breaks: 'The export of a user contains the IP address of an admin',
    killedBy: ['tests/features/user-export.test.ts'],
  },
  {
    file: 'src/accounts/exported-event.ts',
    replace: '{ ...actor, name: null }',
    by: 'actor',
    breaks: 'The export of a user contains the username of an admin',
    killedBy: ['tests/features/user-export.test.ts'],
  },
  {
    file: 'src/users/store/export.ts',
    replace: 'and users.erased_at is null',
    by: '',
    breaks: 'An erased user can be exported',
    killedBy: ['tests/features/user-export.test.ts'],
  },
  {
    file: 'src/audit/store/events.ts',
    replace: 'and audit_events.at > ${usernameFreeSince(username, userId)}',
    by: '',
    breaks: 'The export of a user contains events about an earlier user with the same username',
    killedBy: ['tests/features/user-export.test.ts'],
  },
  {
    file: 'src/accounts/operations/export-invitations.ts',
    replace: 'since: usernameFreeSince(username, id)',
    by: "since: usernameFreeSince('', id)",
    breaks: 'The export of a user contains invitations for an earlier user with the same username',
    killedBy: ['tests/features/user-export.test.ts'],
  },
] satisfies Mutant[];
