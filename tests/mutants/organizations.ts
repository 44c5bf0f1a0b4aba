import type { Mutant } from './mutant.ts';

export default [
  {
    file: 'src/roles/organization-roles.ts',
    replace: "if (other === 'admin') return false;",
    by: '',
    breaks: 'A member with a custom role can give and take the role admin',
    killedBy: ['tests/rules/organization-roles.test.ts', 'tests/features/organization-roles.test.ts'],
  },
  {
    file: 'src/roles/organization-roles.ts',
    replace: '.every((capability) => ownCapabilities.has(capability));',
    by: '.some(() => true) || true;',
    breaks: 'A member with a custom role can give roles with more capabilities',
    killedBy: ['tests/rules/organization-roles.test.ts', 'tests/features/organization-roles.test.ts'],
  },
  {
    file: 'src/roles/organization-roles.ts',
    replace: 'isConfigured(grants, other) && canTake',
    by: 'canTake',
    breaks: 'A role that is not configured can be given',
    killedBy: ['tests/rules/organization-roles.test.ts'],
  },
  {
    file: 'src/organizations/operations/change-authority.ts',
    replace: 'if (sufficient.length === grantingRoles?.length) return stillEntitled;',
    by: 'if (sufficient.length >= 0) return stillEntitled;',
    breaks:
      'A member who loses capabilities during the request can still give a role with these capabilities',
    killedBy: ['tests/features/organization-roles.test.ts'],
  },
  {
    file: 'src/organizations/operations/members.ts',
    replace: 'if (!isLeaving && !canChange(runtime, by, change))',
    by: 'if (isLeaving && !canChange(runtime, by, change))',
    breaks: 'A member with a custom role can remove an organization admin',
    killedBy: ['tests/features/organization-roles.test.ts'],
  },
  {
    file: 'src/organizations/invitations/operations/revoke.ts',
    replace: 'if (!canChange(runtime, by, change))',
    by: 'if (false)',
    breaks: 'A member with a custom role can revoke an invitation of an organization admin',
    killedBy: ['tests/features/organization-roles.test.ts'],
  },
  {
    file: 'src/organizations/invitations/rules.ts',
    replace: '?.filter((own) => canGive(grants, own, role)) ?? null',
    by: '',
    breaks: 'An invitation can be accepted although its creator has lost a capability of the invited role',
    killedBy: ['tests/rules/organization-roles.test.ts', 'tests/features/organization-roles.test.ts'],
  },
  {
    file: 'src/roles/rules.ts',
    replace: 'if (organizationId == null || !grants.organizations) return null;',
    by: 'if (organizationId == null) return null;',
    breaks: 'Stored memberships give rights although the service has no organizations',
    killedBy: ['tests/rules/organization-roles.test.ts', 'tests/features/switched-off.test.ts'],
  },
  {
    file: 'src/roles/rules.ts',
    replace: "if (principal.status !== 'active' || !isAtLeast(principal.role, lowestRole)) return false;",
    by: '',
    breaks: 'A disabled member has the capabilities of a custom role',
    killedBy: ['tests/rules/organization-roles.test.ts'],
  },
  {
    file: 'src/roles/narrowing.ts',
    replace: 'narrower.some((one) => one === scope)',
    by: 'scopes.some((one) => one === scope)',
    breaks: 'The option capabilities can widen a built-in capability',
    killedBy: ['tests/rules/narrowed-capabilities.test.ts'],
  },
  {
    file: 'src/invitations/rules.ts',
    replace: "(role !== 'admin' || config.adminInvitations) &&",
    by: '',
    breaks: 'An earlier admin invitation works although admin invitations are off',
    killedBy: ['tests/rules/invitations.test.ts', 'tests/features/switched-off.test.ts'],
  },
  {
    file: 'src/organizations/rules.ts',
    replace: 'created < organizations.perUser',
    by: 'created <= organizations.perUser',
    breaks: 'A user can create one organization too many',
    killedBy: ['tests/features/organizations-founded-by-users.test.ts'],
  },
] satisfies Mutant[];
