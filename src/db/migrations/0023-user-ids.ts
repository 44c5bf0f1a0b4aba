/**
 * Adds `user_ids`, which contains the id of each account that is not deleted. Tables of the application can reference
 * it. Deleting an account keeps the row in `users`, so `on delete` of a foreign key to `users` has no effect. The same
 * statement deletes the id from `user_ids`, so `on delete` of a foreign key to `user_ids` takes effect.
 *
 * Triggers insert and delete the ids, so no statement can omit this. The ids are inserted before the rows of `users`:
 * `signUp.after` can insert a row that references the new id, and PostgreSQL checks this reference as soon as the
 * statement ends. A user is never inserted with `on conflict do nothing`, because the id would stay if the insert did
 * nothing.
 *
 * The functions run with the rights of the owner (`security definer`), so the service's role needs no rights on
 * `user_ids`. They set no `search_path`, because triggers of the application run inside of them, with the rights of the
 * owner of the application's table. Instead, they qualify every name and every operator with its schema. Without
 * `execute`, no other role can use the functions as triggers of its own tables.
 *
 * The script creates the triggers first. This waits for open transactions that change users, and blocks new ones, so
 * the script finds every user.
 *
 * Also adds the indexes with which the export of a user finds the invitations that the user created, received and
 * accepted. One of them replaces the index on the creator.
 *
 * pg-mem (the in-memory database for tests) skips the `do` block. `createInMemoryDatabase` does the same as the
 * triggers.
 */
export const userIds = {
  version: 23,
  name: 'user-ids',
  compatibleWith: 22,
  script: `
create table latchkey.user_ids (
  id uuid primary key
);

do $$
begin
  create function latchkey.insert_user_id() returns trigger language plpgsql security definer as '
  begin
    insert into latchkey.user_ids (id) values (new.id) on conflict do nothing;
    return new;
  end';

  create function latchkey.delete_user_id() returns trigger language plpgsql security definer as '
  begin
    delete from latchkey.user_ids where user_ids.id operator(pg_catalog.=) old.id;
    return null;
  end';

  revoke all on function latchkey.insert_user_id() from public;
  revoke all on function latchkey.delete_user_id() from public;

  -- A statement can insert null to fail on purpose (NewUser.requires). Then users reports the error, not user_ids.
  create trigger users_id_inserted
    before insert on latchkey.users
    for each row when (new.id is not null and new.deleted_at is null)
    execute function latchkey.insert_user_id();
  create trigger users_id_deleted
    after update of deleted_at on latchkey.users
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function latchkey.delete_user_id();
  create trigger users_removed
    after delete on latchkey.users
    for each row execute function latchkey.delete_user_id();

  create index organization_invitations_closed on latchkey.organization_invitations (user_id, id)
    where accepted_at is not null or revoked_at is not null or declined_at is not null;
end
$$;

create index invitations_acceptor on latchkey.invitations (accepted_by, id);
create index organization_invitations_acceptor on latchkey.organization_invitations (accepted_by, id);
create index organization_invitations_creator on latchkey.organization_invitations (created_by, id);
drop index latchkey.organization_invitations_created_by;

insert into latchkey.user_ids (id) select users.id from latchkey.users where users.deleted_at is null;
`,
};
