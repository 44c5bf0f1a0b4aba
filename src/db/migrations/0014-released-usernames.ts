/**
 * Allows deleted accounts without a username, so that another user can take the username. The configuration
 * decides when (DELETED_USERNAME_RELEASE). The account keeps its id, which the audit log contains.
 *
 * The check and the index are in a `do` block, because pg-mem (the in-memory database for tests) skips `do` blocks and
 * does not support partial indexes.
 */
export const releasedUsernames = {
  version: 14,
  name: 'released-usernames',
  script: `
alter table latchkey.users alter column username drop not null;

do $$
begin
  alter table latchkey.users add constraint users_username_check check (username is not null or deleted_at is not null);
  create index invitations_username on latchkey.invitations (username) where username is not null;
  create index users_deleted on latchkey.users (deleted_at) where username is not null and deleted_at is not null;
end
$$;
`,
};
