/**
 * Allows custom organization roles (`organizationRoles`), and records who has created an organization
 * (`organizations.perUser`). The service checks which roles are configured. The database checks only the form of the name.
 *
 * pg-mem (the in-memory database for tests) gives the old constraints the second names. In PostgreSQL, no constraint has
 * these names. pg-mem supports neither partial indexes nor regular expressions in constraints, and skips the `do` block.
 */
export const organizationRoles = {
  version: 22,
  name: 'organization-roles',
  compatibleWith: 22,
  script: `
alter table latchkey.memberships drop constraint if exists memberships_role_check;
alter table latchkey.memberships drop constraint if exists memberships_constraint_1;
alter table latchkey.organization_invitations drop constraint if exists organization_invitations_role_check;
alter table latchkey.organization_invitations drop constraint if exists organization_invitations_constraint_1;
alter table latchkey.organizations add column created_by uuid references latchkey.users (id) on delete set null;

do $$
begin
  create index organizations_created_by on latchkey.organizations (created_by) where created_by is not null;
  alter table latchkey.memberships add constraint memberships_role_check
    check (role ~ '^[a-z][a-z0-9_-]{0,31}$');
  alter table latchkey.organization_invitations add constraint organization_invitations_role_check
    check (role ~ '^[a-z][a-z0-9_-]{0,31}$');
end
$$;
`,
};
