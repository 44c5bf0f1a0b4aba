/**
 * Allows invitations to sign up with the role `user`. Until now, all invitations granted the role `admin`.
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
`,
};
