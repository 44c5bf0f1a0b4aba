/**
 * What a search among a million people is answered from.
 *
 * Usernames are ASCII and compared byte by byte, whatever the database's own collation: so one index keeps them unique,
 * in their order, and by their beginning. People whose display names begin alike are found in the order of usernames,
 * too. The trigger names the column, so it is made anew.
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
