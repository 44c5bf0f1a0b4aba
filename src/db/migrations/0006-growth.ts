/**
 * Adds indexes for searches among a million users.
 *
 * Usernames are ASCII and get the collation "C", so that one index serves uniqueness, sorting and prefix search. Three
 * other indexes are for searches by display name. Each uses the start of the display name: one, two or three
 * characters. Users with the same start are sorted by username.
 *
 * PostgreSQL cannot change the type of a column that a trigger uses, so the trigger is dropped and created again.
 */
export const growth = {
  version: 6,
  name: 'growth',
  script: `
do $$
begin
  drop trigger users_changed on latchkey.users;
  drop index latchkey.users_username_prefix;
  alter table latchkey.users alter column username type text collate "C";
  create trigger users_changed
    after update on latchkey.users
    for each row when (
      (old.role, old.status, old.session_epoch, old.username, old.display_name, old.deleted_at)
      is distinct from
      (new.role, new.status, new.session_epoch, new.username, new.display_name, new.deleted_at)
    )
    execute function latchkey.tell_of_user();

  create index users_display_name_1 on latchkey.users (left(lower(display_name), 1), username);
  create index users_display_name_2 on latchkey.users (left(lower(display_name), 2), username);
  create index users_display_name_3 on latchkey.users (left(lower(display_name), 3), username);
end
$$;
`,
};
