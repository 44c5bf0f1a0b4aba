/**
 * Adds the import of users. `imported_users` contains the id that a user had in another system, so that a repeated import
 * skips the user. `import_id` is random and the same for all users of one call, to find ids that occur twice in a file.
 *
 * A passkey can have its own user handle, because some systems gave each passkey of a user a different one. Null: the
 * user handle of the account. With `learns_user_handle`, the user handle is unknown until the first sign-in with the
 * passkey. `backup_eligible` is null if it is unknown until then.
 *
 * In addition to what migration 18 defines, `erase_user` finds the passkeys that were imported, and deletes the row in
 * `imported_users`.
 *
 * pg-mem (the in-memory database for tests) skips the `do` block.
 */
export const imports = {
  version: 20,
  name: 'imports',
  compatibleWith: 20,
  script: `
alter table latchkey.passkeys add column user_handle text;
alter table latchkey.passkeys add column learns_user_handle boolean not null default false;
alter table latchkey.passkeys alter column backup_eligible drop not null;

create table latchkey.imported_users (
  source text not null,
  source_id text not null,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  import_id uuid not null,
  primary key (source, source_id)
);
create index imported_users_user_id on latchkey.imported_users (user_id);

do $$
begin
  create index passkeys_user_handle on latchkey.passkeys (user_handle) where user_handle is not null;

  create or replace function latchkey.erase_user(erased uuid, operator_name text, entry uuid, most integer)
  returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    account record;
    pseudonym text;
    names text[];
    passkey_ids text[];
    named_since timestamptz[];
    named_until timestamptz;
    rewritten integer;
    finishes boolean;
  begin
    -- Waits for another erasure of the same user.
    select * into account from latchkey.users where users.id = erased for update;
    if not found then
      return null;
    end if;
    if account.deleted_at is null then
      raise exception ''only a deleted user can be erased'' using errcode = ''invalid_parameter_value'';
    end if;
    pseudonym := ''erased:'' || left(latchkey.keyed_digest(''user'', erased::text), 16);

    -- The log still contains the names of a user whose username was released.
    select coalesce(array_agg(known.name), ''{}'') into names from (
      select account.username as name
      union
      select held_usernames.username from latchkey.held_usernames where held_usernames.user_id = erased
      union
      select audit_events.actor_name from latchkey.audit_events where audit_events.actor_id = erased
      union
      select audit_events.target_name from latchkey.audit_events
      where audit_events.target_id = erased::text and audit_events.target_type = ''user''
    ) as known
    where known.name is not null and known.name <> pseudonym;

    -- A refused request can contain the id of a passkey of another user. The passkeys of a deleted user no longer exist.
    select coalesce(array_agg(known.id), ''{}'') into passkey_ids from (
      select audit_events.target_id as id from latchkey.audit_events
      where audit_events.actor_id = erased and audit_events.target_type = ''passkey''
        and audit_events.outcome = ''success''
      union
      select audit_events.details ->> ''passkeyId'' from latchkey.audit_events
      where audit_events.actor_id = erased and audit_events.event = ''account.signup''
      union
      select regexp_split_to_table(audit_events.details ->> ''passkeyIds'', '','') from latchkey.audit_events
      where audit_events.target_id = erased::text and audit_events.target_type = ''user''
        and audit_events.event in (''user.create'', ''user.import'')
    ) as known
    where known.id ~ ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$''
      and not exists (select from latchkey.passkeys where passkeys.id = known.id::uuid);

    -- Other users can have had a username before the release to this user, and after the release by this user.
    -- named_since contains a time for each element of names.
    select coalesce(max(audit_events.at), ''infinity'') into named_until from latchkey.audit_events
    where audit_events.target_id = erased::text and audit_events.event = ''user.release_username'';
    select array_agg(
      coalesce(
        (
          select max(audit_events.at) from latchkey.audit_events
          where audit_events.event = ''user.release_username'' and audit_events.target_name = known.name
            and audit_events.target_id <> erased::text and audit_events.at < named_until
        ),
        ''-infinity''
      )
      order by known.position
    ) into named_since from unnest(names) with ordinality as known (name, position);

    perform set_config(''latchkey.erasing'', ''on'', true);
    with found as (
      select audit_events.id from latchkey.audit_events where audit_events.actor_id = erased
      union
      select audit_events.id from latchkey.audit_events
      where audit_events.target_id = erased::text and audit_events.target_type = ''user''
      union
      select audit_events.id from latchkey.audit_events
      where audit_events.target_id = any (passkey_ids) and audit_events.target_type = ''passkey''
      union
      select audit_events.id from latchkey.audit_events
      join unnest(names, named_since) as known (name, since) on known.name = audit_events.target_name
      where (audit_events.target_id is null or audit_events.target_type = ''invitation'')
        and audit_events.at > known.since and audit_events.at <= named_until
    ),
    facts as (
      select audit_events.*,
        coalesce(audit_events.actor_id = erased, false) as is_actor,
        coalesce(audit_events.actor_id = erased, false) or audit_events.actor_type = ''anonymous'' as is_sender,
        (audit_events.target_type = ''user'' and audit_events.target_id = erased::text)
          or (audit_events.target_type = ''passkey'' and audit_events.target_id = any (passkey_ids))
          or (audit_events.target_name = any (names)
            and (audit_events.target_id is null or audit_events.target_type = ''invitation'')) as is_target
      from found join latchkey.audit_events on audit_events.id = found.id
    ),
    changes as (
      select facts.id,
        case when facts.is_actor then pseudonym else facts.actor_name end as actor_name,
        case when facts.is_target and facts.target_name is not null then pseudonym else facts.target_name end
          as target_name,
        case when facts.is_sender and facts.ip is not null then pseudonym else facts.ip end as ip,
        case when facts.is_sender and facts.user_agent is not null then pseudonym else facts.user_agent end
          as user_agent,
        case
          when facts.is_target and facts.event in (''account.rename'', ''user.rename'') and facts.details ? ''to''
            then facts.details || jsonb_build_object(''to'', pseudonym)
          else facts.details
        end as details
      from facts
    )
    update latchkey.audit_events
    set actor_name = changed.actor_name, target_name = changed.target_name, ip = changed.ip,
      user_agent = changed.user_agent, details = changed.details
    from (
      select changes.* from changes join latchkey.audit_events as old on old.id = changes.id
      where (old.actor_name, old.target_name, old.ip, old.user_agent, old.details)
        is distinct from (changes.actor_name, changes.target_name, changes.ip, changes.user_agent, changes.details)
      limit most
    ) as changed
    where audit_events.id = changed.id;
    get diagnostics rewritten = row_count;
    perform set_config(''latchkey.erasing'', ''off'', true);

    finishes := rewritten < most;
    if finishes then
      update latchkey.invitations set username = pseudonym
      from unnest(names, named_since) as known (name, since)
      where invitations.username = known.name and invitations.created_at > known.since
        and invitations.created_at <= named_until;
    end if;
    if finishes and account.erased_at is null then
      if account.username is not null then
        insert into latchkey.erased_usernames (digest, deleted_before)
        values (
          latchkey.username_digest(account.username),
          date_trunc(''day'', account.deleted_at, ''UTC'') + interval ''1 day''
        );
      end if;
      insert into latchkey.erased_usernames (digest, deleted_before)
      select latchkey.username_digest(held_usernames.username),
        date_trunc(''day'', account.deleted_at, ''UTC'') + interval ''1 day''
      from latchkey.held_usernames where held_usernames.user_id = erased
      on conflict (digest) do nothing;
      delete from latchkey.held_usernames where held_usernames.user_id = erased;
      delete from latchkey.imported_users where imported_users.user_id = erased;
      update latchkey.users
      set username = null, skeleton = null, display_name = null, fields = ''{}'', username_since = null,
        password_hash = null, user_handle = null, created_at = null,
        erased_at = latchkey.clock()
      where users.id = erased;
    end if;
    if rewritten > 0 or finishes and account.erased_at is null then
      insert into latchkey.audit_events
        (id, at, event, outcome, actor_type, actor_name, target_type, target_id, target_name, details)
      values (
        entry, latchkey.clock(), ''user.erase'', ''success'', ''operator'', operator_name, ''user'', erased::text, pseudonym,
        jsonb_build_object(''events'', rewritten)
      );
    end if;
    return jsonb_build_object(''pseudonym'', pseudonym, ''events'', rewritten, ''finished'', finishes);
  end';
end
$$;
`,
};
