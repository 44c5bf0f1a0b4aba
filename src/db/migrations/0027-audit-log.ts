/**
 * Gives each committed audit event a position, and prepares the tamper-evident log over the positions (docs/concepts/audit-log.md).
 *
 * - `audit_events.xid` is the transaction that inserted the event. It tells the sequencer which events it has not seen
 *   yet. It is not an order: after a restore from a dump, rows can have ids of the future. Events of earlier versions of
 *   the package have no xid, so the index leaves them out.
 * - `audit_events.salt` makes the commitment of an event unguessable. Null: `kept` takes its place, or the event is older
 *   than this migration and has no entry yet. `salt_audit_events` adds the salt before such an event gets its entry.
 * - `audit_events.kept` is what erasing a user leaves of the salt: a key for each field that is not erased, and only a
 *   digest for each erased field. So all other fields stay verifiable, and the erased values cannot be guessed. Layout:
 *   a version byte (1), a byte with a bit for each erased field, the key of the rest, and 32 bytes for each field.
 * - `audit_entries` contains the position, time and commitment of each event. Rows are never updated or deleted.
 * - `audit_tiles` contains the hashes of the Merkle tree, `audit_checkpoints` a copy of the signed checkpoint per hour.
 * - `audit_log` has the size of the log, the signed checkpoint (`note`), the newest one that a witness has cosigned
 *   (`cosigned_note`), and the state of the sequencer. `seen` is the
 *   snapshot whose visible events all have an entry. `caught_up_at` is the time when no event without an entry was left.
 *   `holder` sequences until `held_until`. Both times are times of the server, not of `latchkey.clock()`.
 *
 * `erase_user` computes new values from the row that it locks. So two erasures that change the same event at the same
 * time no longer undo each other. `forget_audit_events` skips events without an entry.
 *
 * The columns get their defaults after they are added, so that PostgreSQL does not rewrite the table. pg-mem (the
 * in-memory database for tests) skips the `do` block. `createInMemoryDatabase` gives each event an entry when it is
 * inserted.
 */
export const auditLog = {
  version: 27,
  name: 'audit-log',
  compatibleWith: 23,
  script: `
create table latchkey.audit_entries (
  position bigint primary key check (position >= 0),
  event_id uuid not null unique,
  at timestamptz not null,
  commitment bytea not null
);

create table latchkey.audit_tiles (
  level smallint not null,
  n bigint not null,
  hashes bytea not null,
  primary key (level, n)
);

create table latchkey.audit_checkpoints (
  size bigint primary key,
  at timestamptz not null,
  note text not null
);

create table latchkey.audit_log (
  one boolean primary key check (one),
  origin text,
  size bigint not null,
  note text,
  cosigned_note text,
  swept_at timestamptz,
  caught_up_at timestamptz,
  holder uuid,
  held_until timestamptz
);
insert into latchkey.audit_log (one, size, caught_up_at) values (true, 0, now());

do $$
begin
  alter table latchkey.audit_log add column seen pg_snapshot;
  alter table latchkey.audit_tiles alter column hashes set storage external;

  alter table latchkey.audit_events add column if not exists xid xid8;
  alter table latchkey.audit_events add column if not exists salt bytea;
  alter table latchkey.audit_events add column if not exists kept bytea;
  alter table latchkey.audit_events alter column xid set default pg_current_xact_id();
  alter table latchkey.audit_events alter column salt set default uuid_send(gen_random_uuid());
  create index if not exists audit_events_xid on latchkey.audit_events (xid) where xid is not null;

  create function latchkey.refuse_entry_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as '
  begin
    raise exception ''latchkey.audit_entries is append-only'' using errcode = ''insufficient_privilege'';
  end';
  create trigger audit_entries_append_only
    before update or delete or truncate on latchkey.audit_entries
    for each statement execute function latchkey.refuse_entry_change();

  -- An event with an entry keeps its salt, because the commitment depends on it.
  create function latchkey.salt_audit_events(ids uuid[]) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    salted integer;
  begin
    perform set_config(''latchkey.erasing'', ''on'', true);
    update latchkey.audit_events set salt = uuid_send(gen_random_uuid())
    where audit_events.id = any (ids) and audit_events.salt is null and audit_events.kept is null
      and not exists (select from latchkey.audit_entries where audit_entries.event_id = audit_events.id);
    get diagnostics salted = row_count;
    perform set_config(''latchkey.erasing'', ''off'', true);
    return salted;
  end';
  revoke all on function latchkey.salt_audit_events(uuid[]) from public;

  -- The order of fields is the order of the bits. It must be the order in src/audit/log/entry.ts.
  create function latchkey.kept_digests(salt bytea, kept bytea, erased integer, contents text[]) returns bytea
  language plpgsql immutable set search_path = pg_catalog, pg_temp as '
  declare
    names constant text[] := array[
      ''actor_name'', ''target_name'', ''impersonator_name'', ''ip'', ''user_agent'', ''details.to'', ''details.statedReason''
    ];
    mask integer := coalesce(get_byte(kept, 1), 0);
    content text;
    secret bytea;
    result bytea;
  begin
    -- The event is older than the audit log, and has no entry yet. Its commitment will be that of the pseudonyms.
    if salt is null and kept is null then
      return null;
    end if;
    result := ''\\x01''::bytea || set_byte(''\\x00''::bytea, 0, mask | erased) || coalesce(
      substring(kept from 3 for 32), sha256(convert_to(''latchkey/audit-rest/v1'' || chr(10), ''UTF8'') || salt)
    );
    for place in 1 .. 7 loop
      content := contents[place];
      secret := coalesce(
        substring(kept from 3 + 32 * place for 32),
        sha256(convert_to(''latchkey/audit-field/v1'' || chr(10) || names[place] || chr(10), ''UTF8'') || salt)
      );
      if erased & (1 << (place - 1)) > 0 and mask & (1 << (place - 1)) = 0 then
        secret := sha256(secret || coalesce(''\\x01''::bytea || convert_to(content, ''UTF8''), ''\\x00''::bytea));
      end if;
      result := result || secret;
    end loop;
    return result;
  end';
  revoke all on function latchkey.kept_digests(bytea, bytea, integer, text[]) from public;

  create or replace function latchkey.forget_audit_events(
    before timestamptz, most integer, entry uuid default gen_random_uuid()
  ) returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    minimum_days integer := coalesce((select settings.audit_retention_minimum_days from latchkey.settings), 90);
    removed integer;
  begin
    if before > latchkey.clock() - make_interval(hours => 24 * minimum_days) then
      raise exception ''latchkey.audit_events keeps each event for at least % days'', minimum_days
        using errcode = ''invalid_parameter_value'',
          hint = ''The owner of the schema can change this minimum: latchkey migrate --audit-retention-minimum=<days>'';
    end if;
    perform set_config(''latchkey.forgetting'', ''on'', true);
    -- If two calls run at the same time, each deletes rows that the other call skips.
    with old as (
      select audit_events.id from latchkey.audit_events
      where audit_events.at < before
        and exists (select from latchkey.audit_entries where audit_entries.event_id = audit_events.id)
      order by audit_events.at, audit_events.id
      limit most
      for update of audit_events skip locked
    )
    delete from latchkey.audit_events where audit_events.id in (select old.id from old);
    get diagnostics removed = row_count;
    perform set_config(''latchkey.forgetting'', ''off'', true);
    if removed > 0 then
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      values (
        entry, latchkey.clock(), ''audit.prune'', ''success'', ''system'',
        jsonb_build_object(
          ''before'', to_char(before at time zone ''UTC'', ''YYYY-MM-DD"T"HH24:MI:SS.MS"Z"''),
          ''removed'', removed
        )
      );
    end if;
    return removed;
  end';

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
      select audit_events.impersonator_name from latchkey.audit_events where audit_events.impersonator_id = erased
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
      select audit_events.id from latchkey.audit_events where audit_events.impersonator_id = erased
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
        coalesce(audit_events.impersonator_id = erased, false) as is_impersonator,
        coalesce(audit_events.actor_id = erased, false) or coalesce(audit_events.impersonator_id = erased, false)
          or audit_events.actor_type = ''anonymous'' as is_sender,
        (audit_events.target_type = ''user'' and audit_events.target_id = erased::text)
          or (audit_events.target_type = ''passkey'' and audit_events.target_id = any (passkey_ids))
          or (audit_events.target_name = any (names)
            and (audit_events.target_id is null or audit_events.target_type = ''invitation'')) as is_target
      from found join latchkey.audit_events on audit_events.id = found.id
    ),
    changes as (
      select facts.id,
        facts.is_actor and facts.actor_name is distinct from pseudonym as actor_name,
        facts.is_target and facts.target_name <> pseudonym as target_name,
        facts.is_impersonator and facts.impersonator_name is distinct from pseudonym as impersonator_name,
        facts.is_sender and facts.ip <> pseudonym as ip,
        facts.is_sender and facts.user_agent <> pseudonym as user_agent,
        facts.is_target and facts.event in (''account.rename'', ''user.rename'') and facts.details ? ''to''
          and facts.details ->> ''to'' is distinct from pseudonym as renamed_to,
        -- The text of a support case can name the user.
        facts.details ? ''statedReason'' and facts.details ->> ''statedReason'' is distinct from pseudonym as reason
      from facts
    ),
    chosen as (
      select changes.id,
        case when changes.actor_name then 1 else 0 end
          + case when changes.target_name then 2 else 0 end
          + case when changes.impersonator_name then 4 else 0 end
          + case when changes.ip then 8 else 0 end
          + case when changes.user_agent then 16 else 0 end
          + case when changes.renamed_to then 32 else 0 end
          + case when changes.reason then 64 else 0 end as fields
      from changes
      where changes.actor_name or changes.target_name or changes.impersonator_name or changes.ip
        or changes.user_agent or changes.renamed_to or changes.reason
      limit most
    )
    -- Reads the values of the row itself, not of the subquery. Another erasure can have changed the row in the meantime.
    update latchkey.audit_events
    set actor_name = case when chosen.fields & 1 > 0 then pseudonym else audit_events.actor_name end,
      target_name = case when chosen.fields & 2 > 0 then pseudonym else audit_events.target_name end,
      impersonator_name = case when chosen.fields & 4 > 0 then pseudonym else audit_events.impersonator_name end,
      ip = case when chosen.fields & 8 > 0 then pseudonym else audit_events.ip end,
      user_agent = case when chosen.fields & 16 > 0 then pseudonym else audit_events.user_agent end,
      details = audit_events.details
        || case when chosen.fields & 32 > 0 then jsonb_build_object(''to'', pseudonym) else ''{}'' end
        || case when chosen.fields & 64 > 0 then jsonb_build_object(''statedReason'', pseudonym) else ''{}'' end,
      kept = latchkey.kept_digests(
        audit_events.salt, audit_events.kept, chosen.fields,
        array[
          audit_events.actor_name, audit_events.target_name, audit_events.impersonator_name, audit_events.ip,
          audit_events.user_agent, audit_events.details ->> ''to'', audit_events.details ->> ''statedReason''
        ]
      ),
      salt = null
    from chosen
    where audit_events.id = chosen.id;
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
      set username = null, skeleton = null, disabled_reason = null, display_name = null, fields = ''{}'', username_since = null,
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
