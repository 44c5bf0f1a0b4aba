/**
 * Allows invitations to sign up with the role `user`. Until now, all invitations granted the role `admin`.
 *
 * The indexes are for the lists of one creator and of one role. The first replaces the index on the creator.
 *
 * pg-mem (the in-memory database for tests) gives the old constraint the second name. In PostgreSQL, no
 * constraint has this name.
 */
export const userInvitations = {
  version: 17,
  name: 'user-invitations',
  script: `
alter table latchkey.invitations drop constraint if exists invitations_role_check;
alter table latchkey.invitations drop constraint if exists invitations_constraint_1;
alter table latchkey.invitations add constraint invitations_role_check check (role in ('user', 'admin'));
create index invitations_creator on latchkey.invitations (created_by, role, id);
create index invitations_role on latchkey.invitations (role, id);
drop index latchkey.invitations_created_by;
`,
};
