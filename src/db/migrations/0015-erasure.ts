/**
 * Adds the erasure of a user (GDPR, Article 17).
 *
 * `erase_user` replaces the username, the IP addresses and the browsers of a deleted user in the audit log with a
 * pseudonym, and removes everything but the id from the user's row. It runs with the rights of its owner (`security
 * definer`) and records an event. It finds the user only by the id. So a role that can call the function can
 * change no other columns, and no events of users who are not deleted. Roles other than the owner need a
 * grant to call it. The trigger allows an update under the same conditions as a delete (see migration 5): the
 * function sets a variable, and the current role has the rights of the table's owner.
 *
 * The pseudonym is a keyed digest of the id, not of the username. With the key, an attacker could reverse a
 * digest of a username or of an IP address by trying all values. The function computes the pseudonym, because
 * a caller who passes it as a parameter could write any name into the log. So the key is in the database.
 * Other systems also store the id. Without the key, the pseudonym does not lead to the id.
 *
 * An erased username stays taken like the username of any deleted account. The table `erased_usernames`
 * contains its keyed digest and the day after the deletion, and nothing that leads to the user's row. A
 * trigger checks new usernames. It runs after the insert. So it also finds the digest of an erasure for which
 * the insert had to wait.
 *
 * The function finds a user's own events by the id. Events that contain the name without the id are about
 * invitations and refused requests. The function finds them with an index on the name. They belong to the
 * user only if the user had the username at that time.
 *
 * pg-mem (the in-memory database for tests) skips the `do` block. It has no triggers and no PL/pgSQL.
 */
export const erasure = {
  version: 15,
  name: 'erasure',
  script: `
insert into latchkey.secrets (name, secret)
values ('pseudonyms', gen_random_uuid()::text || gen_random_uuid()::text);

alter table latchkey.users alter column user_handle drop not null;
alter table latchkey.users alter column created_at drop not null;
alter table latchkey.users add column erased_at timestamptz;

create table latchkey.erased_usernames (
  digest text primary key,
  deleted_before timestamptz not null
);

do $$
begin
  alter table latchkey.users add constraint users_erased_check check (
    case
      when erased_at is null then user_handle is not null and created_at is not null
      else deleted_at is not null and created_at is null
        and coalesce(username, skeleton, display_name, password_hash, user_handle) is null
    end
  );

  create index audit_events_named on latchkey.audit_events (target_name, at)
    where target_name is not null and (target_id is null or target_type = 'invitation');
  create index erased_usernames_deleted on latchkey.erased_usernames (deleted_before);

  -- Hashes twice with the secret, as HMAC does, because a single SHA-256 allows length extension.
  create function latchkey.keyed_digest(purpose text, value text) returns text language sql stable as '
    select encode(sha256(convert_to(secrets.secret, ''UTF8'')
      || sha256(convert_to(secrets.secret || purpose || '':'' || value, ''UTF8''))), ''hex'')
    from latchkey.secrets where secrets.name = ''pseudonyms''';

  create function latchkey.username_digest(username text) returns text language sql stable as '
    select latchkey.keyed_digest(''username'', username)';

  create function latchkey.refuse_erased_username() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as '
  begin
    if exists (
      select from latchkey.erased_usernames where erased_usernames.digest = latchkey.username_digest(new.username)
    ) then
      raise unique_violation using
        message = ''this was the username of a user who is erased'',
        detail = ''Key (username) belongs to latchkey.erased_usernames.'';
    end if;
    return null;
  end';

  create trigger users_inserted after insert on latchkey.users
    for each row execute function latchkey.refuse_erased_username();
  create trigger users_renamed after update of username on latchkey.users
    for each row when (new.username is not null and new.username <> old.username)
    execute function latchkey.refuse_erased_username();

  create or replace function latchkey.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as '
  begin
    if (
        tg_op = ''DELETE'' and current_setting(''latchkey.forgetting'', true) = ''on''
        or tg_op = ''UPDATE'' and current_setting(''latchkey.erasing'', true) = ''on''
      )
      and pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), ''usage'')
    then
      return null;
    end if;
    raise exception ''latchkey.audit_events is append-only'' using errcode = ''insufficient_privilege'';
  end';

  create function latchkey.erase_user(erased uuid, operator_name text, entry uuid, most integer)
  returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    account record;
    pseudonym text;
    names text[];
    passkey_ids text[];
    named_from timestamptz;
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
    ) as known
    where known.id ~ ''^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$''
      and not exists (select from latchkey.passkeys where passkeys.id = known.id::uuid);

    -- Other users can have had the username before the release to this user, and after the release by this user.
    select coalesce(max(audit_events.at), ''infinity'') into named_until from latchkey.audit_events
    where audit_events.target_id = erased::text and audit_events.event = ''user.release_username'';
    select coalesce(max(audit_events.at), ''-infinity'') into named_from from latchkey.audit_events
    where audit_events.event = ''user.release_username'' and audit_events.target_name = any (names)
      and audit_events.target_id <> erased::text and audit_events.at < named_until;

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
      where audit_events.target_name = any (names)
        and (audit_events.target_id is null or audit_events.target_type = ''invitation'')
        and audit_events.at > named_from and audit_events.at <= named_until
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
          as user_agent
      from facts
    )
    update latchkey.audit_events
    set actor_name = changed.actor_name, target_name = changed.target_name, ip = changed.ip,
      user_agent = changed.user_agent
    from (
      select changes.* from changes join latchkey.audit_events as old on old.id = changes.id
      where (old.actor_name, old.target_name, old.ip, old.user_agent)
        is distinct from (changes.actor_name, changes.target_name, changes.ip, changes.user_agent)
      limit most
    ) as changed
    where audit_events.id = changed.id;
    get diagnostics rewritten = row_count;
    perform set_config(''latchkey.erasing'', ''off'', true);

    finishes := rewritten < most;
    if finishes then
      update latchkey.invitations set username = pseudonym
      where invitations.username = any (names) and invitations.created_at > named_from
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
      update latchkey.users
      set username = null, skeleton = null, display_name = null, password_hash = null, user_handle = null, created_at = null,
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

  revoke all on function latchkey.erase_user(uuid, text, uuid, integer) from public;
end
$$;
`,
};
