import type { Mutant } from './mutant.ts';

const operator = ['tests/features/operator-organizations.test.ts'];
const search = ['tests/features/members-search.test.ts'];
const plans = ['tests/db/large-organization.test.ts'];
const session = ['tests/features/session-organizations.test.ts'];
const transfer = ['tests/cli/commands/organizations-import.test.ts'];

export default [
  {
    file: 'cli/organizations/transfer.ts',
    replace: 'of membersOf(organizations, id))',
    by: 'of membersOf(organizations, slug))',
    breaks: 'An export contains no members of an organization whose slug changes during the export',
    killedBy: transfer,
  },
  {
    file: 'cli/organizations/transfer.ts',
    replace: "organizations.list({ sortBy: 'id', ",
    by: 'organizations.list({ ',
    breaks: 'An export omits or repeats an organization whose slug changes between two pages',
    killedBy: transfer,
  },
  {
    file: 'src/organizations/operations/members.ts',
    replace: "const byId = sortBy === 'id';",
    by: 'const byId = false;',
    breaks: 'A list of members that is sorted by id omits a member whose username changes between two pages',
    killedBy: operator,
  },
  {
    file: 'src/organizations/store.ts',
    replace:
      "sortBy === 'id' ? sql`organizations.id > ${after}::uuid` : sql`organizations.slug > ${after}::text`",
    by: 'sql`organizations.slug > ${after}::text`',
    breaks: 'A list of organizations that is sorted by id omits organizations after the first page',
    killedBy: operator,
  },
  {
    file: 'src/service/organization-actions.ts',
    replace: "requireText('id', slugOrId.id);",
    by: '',
    breaks: 'An operator action accepts a list instead of an id',
    killedBy: operator,
  },
  {
    file: 'src/organizations/store/member-search.ts',
    replace: 'where memberships.organization_id = ${organizationId}::uuid and not exists',
    by: 'where not exists',
    breaks: 'A search in an organization finds members of other organizations',
    killedBy: search,
  },
  {
    file: 'src/organizations/store/member-search.ts',
    replace: 'held.user_id = users.id offset 0',
    by: 'held.user_id = users.id',
    breaks: 'A search in a large organization reads all members',
    killedBy: plans,
  },
  {
    file: 'src/organizations/operations/memberships.ts',
    replace: "if (session.kind !== 'full' || ",
    by: 'if (',
    breaks: 'A recovery session shows the organizations of the user',
    killedBy: session,
  },
  {
    file: 'src/service/session-of.ts',
    replace: "include.length > 0 && include.every((name) => name === 'organizations')",
    by: 'include.length >= 0',
    breaks: 'sessionOf ignores an unknown name in `include`',
    killedBy: session,
  },
  {
    file: 'src/organizations/operations/provision.ts',
    replace: "from(admin ? 'claimed' : 'entitled')",
    by: "from('entitled')",
    breaks: 'Concurrent calls of an operator exceed the limit of organizations of a user',
    killedBy: operator,
  },
  {
    file: 'src/organizations/operations/provision.ts',
    replace: 'if (code) return refuse(runtime, by.actor, { ...refused, code, reason: code });',
    by: '',
    breaks: 'An operator makes a disabled user the admin of a new organization',
    killedBy: operator,
  },
  {
    file: 'src/service/organization-actions.ts',
    replace: "requireText('slug', slugOrId);",
    by: '',
    breaks: 'An undefined slug names the organization with the slug "undefined"',
    killedBy: operator,
  },
  {
    file: 'cli/organizations/import-organizations.ts',
    replace: "if (!(error instanceof AuthError && error.code === 'already_a_member')) throw error;",
    by: 'throw error;',
    breaks: 'An import refuses a user who has joined during the import',
    killedBy: transfer,
  },
  {
    file: 'src/service/organization-actions.ts',
    replace: 'if (event === null) throw new AuthError(code);',
    by: 'if (event !== undefined) throw new AuthError(code);',
    breaks: 'The audit log does not record what operators attempt in a service without organizations',
    killedBy: ['tests/features/switched-off.test.ts'],
  },
] satisfies Mutant[];
