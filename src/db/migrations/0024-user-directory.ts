/**
 * Adds what lists of users need: the last sign-in of each user, and indexes for searching and sorting.
 *
 * `user_sign_ins` has one row for each account that is not deleted. The row is separate from `users`, so that a sign-in
 * does not change the row of the user. The year 1970 means that the user has never signed in. So the column is never
 * null, and one index can sort all users. Triggers insert and delete the rows, so no statement can omit this. A sign-in
 * only updates the row, so a sign-in that is concurrent with the deletion of the user leaves no row. The functions of
 * the triggers run with the rights of the owner and qualify every name, as in the migration `user-ids`.
 *
 * `name_grams` returns each text of one, two or three characters that a username or a display name contains. The
 * function gets both names in lowercase. Inside of the function, both names have the collation of the username, "C".
 * With this collation, `lower` changes only ASCII letters. The index on these texts finds every name that contains a
 * given text. The `cost` of the function makes PostgreSQL use the index. The list of new entries of the index is short,
 * because every search reads this list.
 *
 * The script reads the earlier sign-ins before it creates the triggers, because creating the triggers locks `users`.
 * For each user, it uses the latest audit event, live session or use of a passkey.
 *
 * pg-mem (the in-memory database for tests) skips the `do` blocks. `createInMemoryDatabase` does the same as the
 * triggers.
 */
export const userDirectory = {
  version: 24,
  name: 'user-directory',
  compatibleWith: 22,
  script: `
create table latchkey.user_sign_ins (
  user_id uuid primary key,
  last_sign_in_at timestamptz not null default '1970-01-01 00:00:00+00',
  sign_in_method text check (sign_in_method is null or sign_in_method in ('passkey', 'password', 'recovery_code', 'assisted_recovery')),
  sign_in_user_agent text
);

do $$
begin
  insert into latchkey.user_sign_ins (user_id, last_sign_in_at, sign_in_method, sign_in_user_agent)
  select distinct on (known.user_id) known.user_id, known.at, known.method, known.user_agent
  from (
    select audit_events.actor_id as user_id, audit_events.at, audit_events.user_agent,
      case audit_events.event
        when 'password.login' then 'password'
        when 'recovery_code.use' then 'recovery_code'
        when 'recovery_link.use' then 'assisted_recovery'
        else 'passkey'
      end as method
    from (
      select audit_events.actor_id, max(audit_events.at) as at from latchkey.audit_events
      where audit_events.outcome = 'success' and audit_events.impersonator_id is null
        and audit_events.event in (
          'passkey.login', 'password.login', 'account.signup', 'recovery_code.use', 'recovery_link.use',
          'recovery.complete'
        )
      group by audit_events.actor_id
    ) as latest
    join latchkey.audit_events on audit_events.actor_id = latest.actor_id and audit_events.at = latest.at
    where audit_events.outcome = 'success' and audit_events.event in (
      'passkey.login', 'password.login', 'account.signup', 'recovery_code.use', 'recovery_link.use',
      'recovery.complete'
    )
    union all
    select sessions.user_id, sessions.created_at, sessions.user_agent, sessions.method from latchkey.sessions
    where sessions.impersonator_type is null and sessions.method <> 'impersonation'
    union all
    select passkeys.user_id, max(passkeys.last_used_at), null, 'passkey' from latchkey.passkeys
    where passkeys.last_used_at is not null
    group by passkeys.user_id
  ) as known
  join latchkey.users on users.id = known.user_id and users.deleted_at is null
  order by known.user_id, known.at desc, known.user_agent;

  create function latchkey.insert_user_sign_in() returns trigger language plpgsql security definer as '
  begin
    insert into latchkey.user_sign_ins (user_id) values (new.id) on conflict do nothing;
    return null;
  end';

  create function latchkey.delete_user_sign_in() returns trigger language plpgsql security definer as '
  begin
    delete from latchkey.user_sign_ins where user_sign_ins.user_id operator(pg_catalog.=) old.id;
    return null;
  end';

  revoke all on function latchkey.insert_user_sign_in() from public;
  revoke all on function latchkey.delete_user_sign_in() from public;

  -- After the insert, because the statement of a sign-up inserts the row itself.
  create trigger users_sign_in_inserted
    after insert on latchkey.users
    for each row when (new.deleted_at is null)
    execute function latchkey.insert_user_sign_in();
  create trigger users_sign_in_deleted
    after update of deleted_at on latchkey.users
    for each row when (old.deleted_at is null and new.deleted_at is not null)
    execute function latchkey.delete_user_sign_in();
  create trigger users_sign_in_removed
    after delete on latchkey.users
    for each row execute function latchkey.delete_user_sign_in();

  create or replace function latchkey.name_grams(username text, display_name text)
    returns text[] language plpgsql immutable parallel safe cost 1000 as '
  declare
    named text;
    grams text[];
  begin
    foreach named in array array[username, display_name] loop
      for place in 1 .. coalesce(length(named), 0) loop
        grams := grams || array[substr(named, place, 1), substr(named, place, 2), substr(named, place, 3)];
      end loop;
    end loop;
    return grams;
  end';

  create index if not exists users_names on latchkey.users using gin (latchkey.name_grams(lower(username), lower(display_name)))
    with (gin_pending_list_limit = 1024) where deleted_at is null;
  create index if not exists users_created on latchkey.users (created_at, id) where deleted_at is null;
  create index user_sign_ins_at on latchkey.user_sign_ins (last_sign_in_at, user_id);

  insert into latchkey.user_sign_ins (user_id)
  select users.id from latchkey.users where users.deleted_at is null
  on conflict do nothing;
  -- These users were deleted while the script read the earlier sign-ins.
  delete from latchkey.user_sign_ins using latchkey.users
  where users.id = user_sign_ins.user_id and users.deleted_at is not null;
end
$$;
`,
};
