import type { Mutant } from './mutant.ts';

const killedBy = ['tests/interleavings/pairs.test.ts'];

/** Defects that only an unfortunate order of two requests shows. */
export default [
  {
    file: 'src/accounts/operations/change-status.ts',
    replace: "        organizations as (${moveOrganizationsOfAdmin(userId, andExists('changed'))}),\n",
    by: '',
    breaks: 'An organization can lose its last active admin while another one is disabled',
    killedBy,
  },
  {
    file: 'src/accounts/operations/delete-user.ts',
    replace: "        organizations as (${moveOrganizationsOfAdmin(userId, andExists('changed'))}),\n",
    by: '',
    breaks: 'An organization can lose its last active admin while another one is deleted',
    killedBy,
  },
  {
    file: 'src/passkeys/operations/complete-recovery.ts',
    replace: "sql`${andExists('live')} ${andExists('creator')}`",
    by: "sql`${andExists('locked')} ${andExists('creator')}`",
    breaks: 'The link of an ended recovery is deleted without an audit event',
    killedBy,
  },
  {
    file: 'src/roles/store.ts',
    replace: 'where version = ${version}::integer ${condition}',
    by: 'where true ${condition}',
    breaks: 'Two superadmins who demote each other leave no superadmin',
    killedBy,
  },
  {
    file: 'src/organizations/store.ts',
    replace: 'where id = ${organizationId}::uuid and version = ${version}::integer ${condition}',
    by: 'where id = ${organizationId}::uuid ${condition}',
    breaks: 'Two organization admins who leave at the same time leave no admin',
    killedBy,
  },
  {
    file: 'src/users/store/versions.ts',
    replace:
      'where id = ${userId}::uuid and version = ${version}::integer and deleted_at is null ${condition}',
    by: 'where id = ${userId}::uuid and deleted_at is null ${condition}',
    breaks: 'Two changes of an account that exclude each other both succeed',
    killedBy,
  },
  {
    file: 'src/invitations/operations/create.ts',
    replace: "? claimVersion(account.id, account.version, andExists('claimed'))",
    by: '? sql`select id from claimed`',
    breaks: 'An invitation for a user who is being renamed keeps the former username',
    killedBy,
  },
] satisfies Mutant[];
