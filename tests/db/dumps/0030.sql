-- Written by scripts/write-dump.mjs. Never changes.
do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

do $$
begin
  -- `create schema if not exists` fails for a role that may not create schemas, even if the schema exists.
  if to_regnamespace('latchkey') is null then
    create schema latchkey;
  end if;
end
$$;
create table if not exists latchkey.migrations (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);
insert into latchkey.migrations (version, name, checksum)
values (1, 'accounts', '743db845db6eff8aaee9ac91664dd87e6a78842c5199539dbd01256e08ea95b9');

create function latchkey.clock() returns timestamptz language sql stable as $$ select now() $$;

create table latchkey.users (
  id uuid primary key,
  username text not null unique,
  display_name text,
  role text not null default 'user' check (role in ('user', 'admin', 'superadmin')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  user_handle text not null unique,
  version integer not null default 0,
  created_at timestamptz not null
);

create table latchkey.passkeys (
  id uuid primary key,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  credential_id text not null unique,
  public_key text not null,
  counter bigint not null,
  transports jsonb not null,
  aaguid uuid not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  label text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkeys_user_id on latchkey.passkeys (user_id);

create table latchkey.sessions (
  id uuid primary key,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  token_hash text not null unique,
  kind text not null check (kind in ('full', 'recovery')),
  method text not null check (method in ('passkey', 'password', 'recovery_code', 'assisted_recovery')),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  authenticated_at timestamptz not null,
  ends_at timestamptz not null,
  expires_at timestamptz not null,
  ip text,
  user_agent text
);
create index sessions_user_id on latchkey.sessions (user_id);
create index sessions_expires_at on latchkey.sessions (expires_at);

create table latchkey.spent_challenges (
  nonce text primary key,
  forget_at timestamptz not null
);
create index spent_challenges_forget_at on latchkey.spent_challenges (forget_at);

create table latchkey.audit_events (
  id uuid primary key,
  at timestamptz not null,
  event text not null,
  outcome text not null check (outcome in ('success', 'failure')),
  actor_type text not null check (actor_type in ('user', 'operator', 'anonymous', 'system')),
  actor_id uuid,
  actor_name text,
  target_type text,
  target_id text,
  target_name text,
  organization_id uuid,
  ip text,
  user_agent text,
  request_id text,
  details jsonb not null
);
create index audit_events_at on latchkey.audit_events (at, id);

do $$
begin
  create function latchkey.refuse_change() returns trigger language plpgsql as '
  begin
    raise exception ''latchkey.audit_events is append-only'' using errcode = ''insufficient_privilege'';
  end';

  create trigger audit_events_append_only
    before update or delete or truncate on latchkey.audit_events
    for each statement execute function latchkey.refuse_change();
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (2, 'other-ways-in', '03b232febbb18ab3458c763fbe24d299d4f8ee7a444872478f8931271af85e84');

alter table latchkey.users add column password_hash text;

create table latchkey.recovery_codes (
  code_hash text primary key,
  key_id text not null,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  recovery_session_id uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  used_at timestamptz
);
create index recovery_codes_user_id on latchkey.recovery_codes (user_id);

create table latchkey.recovery_links (
  user_id uuid primary key references latchkey.users (id) on delete cascade,
  token_hash text not null unique,
  maker_id uuid references latchkey.users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index recovery_links_maker_id on latchkey.recovery_links (maker_id);
create index recovery_links_expires_at on latchkey.recovery_links (expires_at);

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (3, 'authority', 'eb1bb606abec6bf03f76c2616656627e6be0c35f2127e8df6d880a942916d86a');

alter table latchkey.users add column session_epoch integer not null default 0;
alter table latchkey.users add column deleted_at timestamptz;
alter table latchkey.sessions add column epoch integer not null default 0;

create table latchkey.superadmin_roster (
  one boolean primary key check (one),
  version integer not null
);
insert into latchkey.superadmin_roster (one, version) values (true, 0);

create table latchkey.bootstrap (
  one boolean primary key check (one),
  user_id uuid not null,
  at timestamptz not null
);

create table latchkey.invitations (
  id uuid primary key,
  token_hash text not null unique,
  role text not null check (role in ('admin')),
  username text,
  created_by uuid references latchkey.users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  accepted_by uuid references latchkey.users (id) on delete set null,
  accepted_at timestamptz
);
create index invitations_created_by on latchkey.invitations (created_by);

create table latchkey.organizations (
  id uuid primary key,
  name text not null,
  slug text not null unique,
  version integer not null default 0,
  created_at timestamptz not null
);

create table latchkey.memberships (
  organization_id uuid not null references latchkey.organizations (id) on delete cascade,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  role text not null check (role in ('user', 'admin')),
  joined_at timestamptz not null,
  primary key (organization_id, user_id)
);
create index memberships_user_id on latchkey.memberships (user_id);

create index audit_events_event on latchkey.audit_events (event, at, id);

do $$
begin
  -- With what a page is chosen by, so that it is found without a look at the rows it leaves out.
  create index audit_events_actor on latchkey.audit_events (actor_id, at, id)
    include (event, outcome, organization_id) where actor_id is not null;
  create index audit_events_target on latchkey.audit_events (target_id, at, id)
    include (event, outcome, organization_id) where target_id is not null;
  create index audit_events_organization on latchkey.audit_events (organization_id, at, id)
    include (event, outcome) where organization_id is not null;
  create index users_username_prefix on latchkey.users (username text_pattern_ops);
  create index users_display_name_prefix on latchkey.users (lower(display_name) text_pattern_ops);
  create index users_role on latchkey.users (role, username) where role <> 'user';
  create index users_disabled on latchkey.users (username) where status = 'disabled';
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (4, 'notifications', 'ade8e013ebc9fc76fc311517d5bde8f85d34aa9816fe00c1cdc93b26eaaf4b5d');

do $$
begin
  create function latchkey.tell_of_session() returns trigger language plpgsql as '
  begin
    perform pg_notify(''latchkey_sessions'', old.user_id::text);
    return null;
  end';

  create function latchkey.tell_of_user() returns trigger language plpgsql as '
  begin
    perform pg_notify(''latchkey_sessions'', old.id::text);
    return null;
  end';

  create trigger sessions_ended
    after delete on latchkey.sessions
    for each row when (old.expires_at > latchkey.clock())
    execute function latchkey.tell_of_session();

  create trigger sessions_changed
    after update on latchkey.sessions
    for each row when (
      (old.token_hash, old.user_id, old.kind, old.method, old.authenticated_at, old.ends_at, old.epoch)
      is distinct from
      (new.token_hash, new.user_id, new.kind, new.method, new.authenticated_at, new.ends_at, new.epoch)
      or new.expires_at < old.expires_at
    )
    execute function latchkey.tell_of_session();

  create trigger users_changed
    after update on latchkey.users
    for each row when (
      (old.role, old.status, old.session_epoch, old.username, old.display_name, old.deleted_at)
      is distinct from
      (new.role, new.status, new.session_epoch, new.username, new.display_name, new.deleted_at)
    )
    execute function latchkey.tell_of_user();
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (5, 'retention', '852ed4ad450833cecc7a5bd54a28427c7b9d8cbcf9fd085000413439bc3f91ea');

do $$
begin
  -- The path, in both: a caller must not put functions and tables of their own in the place of those that are meant.
  create or replace function latchkey.refuse_change() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as '
  begin
    if tg_op = ''DELETE''
      and current_setting(''latchkey.forgetting'', true) = ''on''
      and pg_has_role((select relowner from pg_catalog.pg_class where oid = tg_relid), ''usage'')
    then
      return null;
    end if;
    raise exception ''latchkey.audit_events is append-only'' using errcode = ''insufficient_privilege'';
  end';

  create function latchkey.forget_audit_events(
    before timestamptz, most integer, entry uuid default gen_random_uuid()
  ) returns integer language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    removed integer;
  begin
    if before > latchkey.clock() - interval ''1 day'' then
      raise exception ''latchkey.audit_events keeps the last day'' using errcode = ''invalid_parameter_value'';
    end if;
    perform set_config(''latchkey.forgetting'', ''on'', true);
    -- Two at once remove each what the other does not.
    with old as (
      select audit_events.id from latchkey.audit_events
      where audit_events.at < before
      order by audit_events.at, audit_events.id
      limit most
      for update skip locked
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

  revoke all on function latchkey.forget_audit_events(timestamptz, integer, uuid) from public;
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (6, 'growth', '0b40fc1435f07094b54ab97819eda82ea203dd85f5cccdd97086837624742773');

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

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (7, 'recovery', '8000bca9262b329169f92b864b141009d1a5db52d3f2f4af025c3917c7eed9b1');

delete from latchkey.recovery_codes where recovery_session_id is not null;
alter table latchkey.recovery_codes drop column recovery_session_id;

delete from latchkey.sessions where kind = 'recovery';
delete from latchkey.recovery_links;
alter table latchkey.recovery_links add column usable_at timestamptz not null;
alter table latchkey.recovery_links add column session_id uuid;
alter table latchkey.recovery_links add column used_at timestamptz;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (8, 'organization-invitations', '868315f87feccf3dc29d8b1be9d361070a5b1683b916a2fd20daec7ca59a7efb');

create table latchkey.organization_invitations (
  id uuid primary key,
  organization_id uuid not null references latchkey.organizations (id) on delete cascade,
  user_id uuid references latchkey.users (id) on delete cascade,
  token_hash text unique,
  role text not null check (role in ('user', 'admin')),
  created_by uuid references latchkey.users (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  declined_at timestamptz,
  accepted_by uuid references latchkey.users (id) on delete set null,
  accepted_at timestamptz,
  check ((user_id is null) <> (token_hash is null))
);
create index organization_invitations_organization on latchkey.organization_invitations (organization_id, id);
create index organization_invitations_created_by on latchkey.organization_invitations (created_by);

do $$
begin
  create index organization_invitations_open on latchkey.organization_invitations (organization_id, expires_at)
    where accepted_at is null and revoked_at is null and declined_at is null;
  create index organization_invitations_received on latchkey.organization_invitations (user_id, id)
    where accepted_at is null and revoked_at is null and declined_at is null;
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (9, 'bursts', 'e59f87e108931b1c7e578dcbd05e716989bcd3b429b0dd737835fba7065b6275');

alter table latchkey.audit_events add column count integer;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (10, 'look-alikes', '39ec60b85035ec4bbf1c24b40f53b89d15532ae1c25ab751e54adce1600401a9');

alter table latchkey.users add column skeleton text;

do $$
begin
  update latchkey.users set skeleton = oldest.skeleton
  from (
    select distinct on (named.skeleton) named.id, named.skeleton
    from (
      select users.id, users.created_at,
        replace(replace(translate(read.username, '01i._-', 'oll'), 'm', 'rn'), 'w', 'vv') as skeleton
      from latchkey.users
      cross join lateral (
        select regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
          users.username, '3(?=.*[a-z])', 'e', 'g'), '4(?=.*[a-z])', 'a', 'g'), '5(?=.*[a-z])', 's', 'g'),
          '7(?=.*[a-z])', 't', 'g'), '8(?=.*[a-z])', 'b', 'g') as username
      ) as read
    ) as named
    order by named.skeleton, named.created_at, named.id
  ) as oldest
  where users.id = oldest.id;

  create unique index users_skeleton on latchkey.users (skeleton);
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (11, 'passkey-holders', 'ba9d9dde42c9a42458f551de3bd9a4e6d8820920ecadfe34b840c2d5f31a5c6b');

create view latchkey.passkey_holders as select user_id from latchkey.passkeys;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (12, 'audit-minimum', '9894702a38578e2fc50f8b0b38934dc8a0cde4a32ba572c3c1ac9c968fddc69f');

create table latchkey.settings (
  one boolean primary key check (one),
  audit_retention_minimum_days integer not null check (audit_retention_minimum_days between 1 and 36500)
);
insert into latchkey.settings (one, audit_retention_minimum_days) values (true, 90);

do $$
begin
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
      order by audit_events.at, audit_events.id
      limit most
      for update skip locked
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

  create function latchkey.change_audit_minimum(days integer, operator text, entry uuid)
  returns integer language plpgsql set search_path = pg_catalog, pg_temp as '
  declare
    former integer := (select settings.audit_retention_minimum_days from latchkey.settings for update);
  begin
    if former <> days then
      update latchkey.settings set audit_retention_minimum_days = days;
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, details)
      values (
        entry, latchkey.clock(), ''audit.change_minimum'', ''success'', ''operator'', operator,
        jsonb_build_object(''from'', former, ''to'', days)
      );
    end if;
    return former;
  end';

  revoke all on function latchkey.change_audit_minimum(integer, text, uuid) from public;
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (13, 'secrets', '5c2909e92f656a317f710bf0292f13daf70777b204f7027c149f35d4deeb2582');

create table latchkey.secrets (
  name text primary key,
  secret text not null
);
insert into latchkey.secrets (name, secret)
values ('decoys', gen_random_uuid()::text || gen_random_uuid()::text);

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (14, 'released-usernames', '0497489debccd61cab626761b48a917789bd35799a2be41d52f0fe9c35b52c13');

alter table latchkey.users alter column username drop not null;

do $$
begin
  alter table latchkey.users add constraint users_username_check check (username is not null or deleted_at is not null);
  create index invitations_username on latchkey.invitations (username) where username is not null;
  create index users_deleted on latchkey.users (deleted_at) where username is not null and deleted_at is not null;
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (15, 'erasure', '168db73f4482f0b80374c13b953e9205d94a4b460571f0d9622e3a3f102446b6');

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

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (16, 'primary', 'fd84465ae16ff1e9a91f24c346a5c3efb0fcafd38fc2028f8dc7b47da31c8988');

do $$
begin
  create function latchkey.require_primary() returns boolean language plpgsql stable parallel safe as '
  begin
    if pg_catalog.pg_is_in_recovery() then
      raise exception ''this server is a standby, and Latchkey reads only from the primary''
        using errcode = ''read_only_sql_transaction'';
    end if;
    return true;
  end';
end
$$;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (17, 'user-invitations', '594ea8261ca0af3a5dcab0c27cbc8db3ce4b7ef7d0df6860b76765d5410a2f02');

alter table latchkey.invitations drop constraint if exists invitations_role_check;
alter table latchkey.invitations drop constraint if exists invitations_constraint_1;
alter table latchkey.invitations add constraint invitations_role_check check (role in ('user', 'admin'));
create index invitations_creator on latchkey.invitations (created_by, role, id);
create index invitations_role on latchkey.invitations (role, id);
drop index latchkey.invitations_created_by;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (18, 'own-fields', 'fe109e3c2ca84dcf34f46f35402e9f793767ae9e613c51349446491cb98d7578');

alter table latchkey.users add column fields jsonb not null default '{}';
alter table latchkey.users add column username_since timestamptz;

create table latchkey.held_usernames (
  username text primary key,
  skeleton text not null,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  held_at timestamptz not null
);
create index held_usernames_user_id on latchkey.held_usernames (user_id);
create index held_usernames_skeleton on latchkey.held_usernames (skeleton);

do $$
begin
  -- The service allows less. This limit stops other programs.
  alter table latchkey.users add constraint users_fields_check
    check (jsonb_typeof(fields) = 'object' and octet_length(fields::text) <= 65536);

  create or replace function latchkey.refuse_erased_username() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as '
  begin
    if exists (
      select from latchkey.held_usernames
      where held_usernames.username = new.username and held_usernames.user_id <> new.id
    ) then
      raise unique_violation using
        message = ''this was the username of another user'',
        detail = ''Key (username) belongs to latchkey.held_usernames.'';
    end if;
    if exists (
      select from latchkey.erased_usernames where erased_usernames.digest = latchkey.username_digest(new.username)
    ) then
      raise unique_violation using
        message = ''this was the username of a user who is erased'',
        detail = ''Key (username) belongs to latchkey.erased_usernames.'';
    end if;
    return null;
  end';

  drop trigger users_changed on latchkey.users;
  create trigger users_changed
    after update on latchkey.users
    for each row when (
      (old.role, old.status, old.session_epoch, old.username, old.display_name, old.fields, old.deleted_at)
      is distinct from
      (new.role, new.status, new.session_epoch, new.username, new.display_name, new.fields, new.deleted_at)
    )
    execute function latchkey.tell_of_user();

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

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (19, 'compatibility', 'a8db276155342e3ce1eb4f4fecd3ee44754784186cb9a3e9b1e736371b7889bd');

alter table latchkey.migrations add column compatible_with integer;

update latchkey.migrations set compatible_with = 19 where version = 19;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (20, 'imports', '157aea8944b10eebeec535fedd51faf6791fcea1ab18131f41c828a9394c4492');

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

update latchkey.migrations set compatible_with = 20 where version = 20;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (21, 'impersonation', '0dd0c8c2dab99c9e35d42eb186f94fb513b6124789028ea6e5f4fee5ece284ec');

alter table latchkey.sessions drop constraint if exists sessions_method_check;
alter table latchkey.sessions drop constraint if exists sessions_constraint_2;
alter table latchkey.sessions add constraint sessions_method_check
  check (method in ('passkey', 'password', 'recovery_code', 'assisted_recovery', 'impersonation'));
alter table latchkey.sessions add column impersonator_type text;
alter table latchkey.sessions add column impersonator_id uuid;
alter table latchkey.sessions add column impersonator_name text;
alter table latchkey.sessions add column impersonator_epoch integer;

create table latchkey.impersonation_links (
  token_hash text primary key,
  user_id uuid not null references latchkey.users (id) on delete cascade,
  operator_name text not null,
  reason text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index impersonation_links_user_id on latchkey.impersonation_links (user_id);
create index impersonation_links_expires_at on latchkey.impersonation_links (expires_at);

alter table latchkey.audit_events add column impersonator_type text;
alter table latchkey.audit_events add column impersonator_id uuid;
alter table latchkey.audit_events add column impersonator_name text;

do $$
begin
  alter table latchkey.sessions add constraint sessions_impersonator_check check (
    case
      when impersonator_type is null then
        method <> 'impersonation' and coalesce(impersonator_id::text, impersonator_name, impersonator_epoch::text) is null
      else
        method = 'impersonation' and kind = 'full' and epoch < 0 and impersonator_name is not null
          and (impersonator_type = 'user' and impersonator_id is not null and impersonator_epoch is not null
            or impersonator_type = 'operator' and impersonator_id is null and impersonator_epoch is null)
    end
  );
  create index sessions_impersonator on latchkey.sessions (impersonator_id) where impersonator_id is not null;
  create index audit_events_impersonator on latchkey.audit_events (impersonator_id, at, id)
    include (event, outcome, organization_id) where impersonator_id is not null;

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
        case when facts.is_actor then pseudonym else facts.actor_name end as actor_name,
        case when facts.is_impersonator then pseudonym else facts.impersonator_name end as impersonator_name,
        case when facts.is_target and facts.target_name is not null then pseudonym else facts.target_name end
          as target_name,
        case when facts.is_sender and facts.ip is not null then pseudonym else facts.ip end as ip,
        case when facts.is_sender and facts.user_agent is not null then pseudonym else facts.user_agent end
          as user_agent,
        case
          when facts.is_target and facts.event in (''account.rename'', ''user.rename'') and facts.details ? ''to''
            then facts.details || jsonb_build_object(''to'', pseudonym)
          -- The text of a support case can name the user.
          when facts.event like ''impersonation.%'' and facts.details ? ''statedReason''
            then facts.details || jsonb_build_object(''statedReason'', pseudonym)
          else facts.details
        end as details
      from facts
    )
    update latchkey.audit_events
    set actor_name = changed.actor_name, impersonator_name = changed.impersonator_name,
      target_name = changed.target_name, ip = changed.ip, user_agent = changed.user_agent, details = changed.details
    from (
      select changes.* from changes join latchkey.audit_events as old on old.id = changes.id
      where (old.actor_name, old.impersonator_name, old.target_name, old.ip, old.user_agent, old.details)
        is distinct from (changes.actor_name, changes.impersonator_name, changes.target_name, changes.ip,
          changes.user_agent, changes.details)
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

update latchkey.migrations set compatible_with = 21 where version = 21;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (22, 'organization-roles', '987f552c1370b7bed8050e843842976147f907cb674cea0183f8bf011c04201c');

alter table latchkey.memberships drop constraint if exists memberships_role_check;
alter table latchkey.memberships drop constraint if exists memberships_constraint_1;
alter table latchkey.organization_invitations drop constraint if exists organization_invitations_role_check;
alter table latchkey.organization_invitations drop constraint if exists organization_invitations_constraint_1;
alter table latchkey.organizations add column created_by uuid references latchkey.users (id) on delete set null;

do $$
begin
  create index organizations_created_by on latchkey.organizations (created_by) where created_by is not null;
  alter table latchkey.memberships add constraint memberships_role_check
    check (role ~ '^[a-z][a-z0-9_-]{0,31}$');
  alter table latchkey.organization_invitations add constraint organization_invitations_role_check
    check (role ~ '^[a-z][a-z0-9_-]{0,31}$');
end
$$;

update latchkey.migrations set compatible_with = 22 where version = 22;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (23, 'user-ids', 'a6b58bfb3a730a15beeca6154175ec1b09c659b25d34e20b68d49c8eaf4e9ce5');

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

update latchkey.migrations set compatible_with = 22 where version = 23;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (24, 'user-directory', 'c30a237a18f4431fd09ea167c47dc42f65fc35c1c8945658844df64bcb45ea30');

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

update latchkey.migrations set compatible_with = 22 where version = 24;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (25, 'figures', '49ae686b1d81844e012017d7ebe2ca02b5fb230a97a8dc39960246f36e53d84c');

create table latchkey.sign_in_hours (
  hour timestamptz not null,
  method text not null,
  sign_ins bigint not null,
  refusals bigint not null,
  primary key (hour, method)
);

create table latchkey.active_user_counts (
  unit text not null check (unit in ('hour', 'day')),
  start timestamptz not null,
  previous timestamptz not null,
  users bigint not null,
  primary key (unit, start, previous)
);

create table latchkey.last_active_hours (
  user_id uuid primary key references latchkey.user_ids (id) on delete cascade,
  hour timestamptz not null
);

create table latchkey.counted_sign_ins (
  one boolean primary key check (one),
  until timestamptz
);
insert into latchkey.counted_sign_ins (one, until) values (true, null);

create table latchkey.user_figures (
  one boolean primary key check (one),
  at timestamptz not null,
  figures jsonb not null
);

do $$
begin
  create function latchkey.count_hour(counted timestamptz) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as '
  declare
    day timestamptz := date_trunc(''day'', counted, ''UTC'');
  begin
    insert into latchkey.sign_in_hours (hour, method, sign_ins, refusals)
    select
      counted,
      case audit_events.event
        when ''passkey.login'' then ''passkey''
        when ''password.login'' then ''password''
        when ''recovery_code.use'' then ''recovery_code''
        else ''recovery_link''
      end,
      count(*) filter (where audit_events.outcome = ''success''),
      coalesce(sum(coalesce(audit_events.count, 1)) filter (where audit_events.outcome = ''failure''), 0)
    from latchkey.audit_events
    where audit_events.event in (''passkey.login'', ''password.login'', ''recovery_code.use'', ''recovery_link.use'')
      and audit_events.at >= counted and audit_events.at < counted + interval ''1 hour''
    group by 2
    on conflict (hour, method) do update set
      sign_ins = greatest(sign_in_hours.sign_ins, excluded.sign_ins),
      refusals = greatest(sign_in_hours.refusals, excluded.refusals);

    with active as (
      select distinct audit_events.actor_id as id from latchkey.audit_events
      where audit_events.event in (
          ''passkey.login'', ''password.login'', ''recovery_code.use'', ''recovery_link.use'',
          ''account.signup'', ''invitation.accept''
        )
        and audit_events.outcome = ''success''
        and audit_events.at >= counted and audit_events.at < counted + interval ''1 hour''
    ),
    -- Without the lock, the insert fails if another transaction deletes the account.
    existing as (
      select user_ids.id from latchkey.user_ids where user_ids.id in (select active.id from active) for key share
    ),
    newly as (
      select existing.id, last_active_hours.hour as before
      from existing left join latchkey.last_active_hours on last_active_hours.user_id = existing.id
      where last_active_hours.hour is null or last_active_hours.hour < counted
    ),
    in_hour as (
      insert into latchkey.active_user_counts (unit, start, previous, users)
      select
        ''hour'', counted, greatest(coalesce(newly.before, ''-infinity''), counted - interval ''25 hours''), count(*)
      from newly
      group by 3
      on conflict (unit, start, previous) do update set users = active_user_counts.users + excluded.users
    ),
    in_day as (
      insert into latchkey.active_user_counts (unit, start, previous, users)
      select
        ''day'', day,
        greatest(
          coalesce(date_trunc(''day'', newly.before, ''UTC''), ''-infinity''), day - interval ''2184 hours''
        ),
        count(*)
      from newly
      where newly.before is null or newly.before < day
      group by 3
      on conflict (unit, start, previous) do update set users = active_user_counts.users + excluded.users
    )
    insert into latchkey.last_active_hours (user_id, hour)
    select newly.id, counted from newly
    on conflict (user_id) do update set hour = excluded.hour;
  end';

  create function latchkey.count_sign_ins(most integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp as '
  declare
    present timestamptz := date_trunc(''hour'', latchkey.clock(), ''UTC'');
    earliest timestamptz := present - interval ''9600 hours'';
    following timestamptz;
    counted integer := 0;
  begin
    select counted_sign_ins.until into following from latchkey.counted_sign_ins for update skip locked;
    if not found then
      return 0;
    end if;
    if following is null then
      select coalesce(date_trunc(''hour'', min(audit_events.at), ''UTC''), present) into following
      from latchkey.audit_events;
    end if;
    following := least(greatest(following, earliest), present);
    while counted < most and following <= latchkey.clock() - interval ''2 hours'' loop
      -- Skips hours without events. The hours of the last day are never skipped, because of their second count.
      if following <= present - interval ''26 hours'' then
        select
          least(
            greatest(following, coalesce(date_trunc(''hour'', min(audit_events.at), ''UTC''), present)),
            present - interval ''26 hours''
          )
        into following
        from latchkey.audit_events where audit_events.at >= following;
      end if;
      if following > present - interval ''26 hours'' then
        perform latchkey.count_hour(following - interval ''24 hours'');
      end if;
      perform latchkey.count_hour(following);
      following := following + interval ''1 hour'';
      counted := counted + 1;
    end loop;
    update latchkey.counted_sign_ins set until = following where until is distinct from following;
    if counted > 0 then
      delete from latchkey.sign_in_hours where sign_in_hours.hour < earliest;
      delete from latchkey.active_user_counts
      where (active_user_counts.unit = ''hour'' and active_user_counts.start < present - interval ''72 hours'')
        or (active_user_counts.unit = ''day'' and active_user_counts.start < present - interval ''4416 hours'');
    end if;
    return counted;
  end';

  revoke all on function latchkey.count_hour(timestamptz) from public;
  revoke all on function latchkey.count_sign_ins(integer) from public;
end
$$;

update latchkey.migrations set compatible_with = 22 where version = 25;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (26, 'facts', '333ebe060730317f8fb7081b5b1d19471291e66007872faa0ba1a0a546afd9d5');

alter table latchkey.sessions add column passkey_id uuid;
alter table latchkey.passkeys add column last_used_ip text;
alter table latchkey.passkeys add column last_used_user_agent text;
alter table latchkey.users add column disabled_reason text;

do $$
declare
  earlier text := pg_get_functiondef('latchkey.erase_user(uuid, text, uuid, integer)'::regprocedure);
  condition text := 'facts.event like ''impersonation.%'' and facts.details ? ''statedReason''';
  assignment text := 'set username = null, skeleton = null,';
begin
  if position(condition in earlier) = 0 then
    raise exception 'latchkey.erase_user has not the expected condition';
  end if;
  if position(assignment in earlier) = 0 then
    raise exception 'latchkey.erase_user has not the expected assignment';
  end if;
  execute replace(
    replace(earlier, condition, 'facts.details ? ''statedReason'''),
    assignment,
    'set username = null, skeleton = null, disabled_reason = null,'
  );

  create function latchkey.remove_disabled_reason() returns trigger language plpgsql as '
  begin
    new.disabled_reason := null;
    return new;
  end';
  revoke all on function latchkey.remove_disabled_reason() from public;
  create trigger users_disabled_reason_removed
    before insert or update on latchkey.users
    for each row when (new.deleted_at is not null and new.disabled_reason is not null)
    execute function latchkey.remove_disabled_reason();
end
$$;

update latchkey.migrations set compatible_with = 23 where version = 26;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (27, 'audit-log', 'c2700619d9eacd68feadfa52cb5b7e3487fc9bf618ef9f9a11cd901518a89007');

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
    result := ''\x01''::bytea || set_byte(''\x00''::bytea, 0, mask | erased) || coalesce(
      substring(kept from 3 for 32), sha256(convert_to(''latchkey/audit-rest/v1'' || chr(10), ''UTF8'') || salt)
    );
    for place in 1 .. 7 loop
      content := contents[place];
      secret := coalesce(
        substring(kept from 3 + 32 * place for 32),
        sha256(convert_to(''latchkey/audit-field/v1'' || chr(10) || names[place] || chr(10), ''UTF8'') || salt)
      );
      if erased & (1 << (place - 1)) > 0 and mask & (1 << (place - 1)) = 0 then
        secret := sha256(secret || coalesce(''\x01''::bytea || convert_to(content, ''UTF8''), ''\x00''::bytea));
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

update latchkey.migrations set compatible_with = 23 where version = 27;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (28, 'webhooks', '73b5a47c0633c77a54b07f185751c70347f91e7fb9bec9dfb5d9236e72820159');

create table latchkey.webhooks (
  id uuid primary key,
  name text not null unique,
  slot integer not null unique check (slot between 1 and 20),
  url text not null,
  events text,
  secret text not null,
  previous_secret text,
  previous_until timestamptz,
  state text not null check (state in ('active', 'paused', 'disabled')),
  reason text,
  version integer not null default 0,
  after_position bigint not null,
  after_id uuid,
  attempts integer not null default 0,
  failing_since timestamptz,
  next_at timestamptz not null,
  last_at timestamptz,
  last_status integer,
  last_fault text,
  holder uuid,
  held_until timestamptz,
  created_at timestamptz not null
);

update latchkey.migrations set compatible_with = 23 where version = 28;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (29, 'audit witness', 'c10a6e805534e2522e7d0bbeb3b07f11ccdfc87f8b3a6c09dffc7c1004e94ee5');

create table latchkey.audit_witnessed (
  origin text primary key,
  size bigint not null check (size >= 0),
  root text not null,
  note text not null,
  at timestamptz not null
);

update latchkey.migrations set compatible_with = 23 where version = 29;

do $$
begin
  perform pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
end
$$;
select pg_advisory_xact_lock(465491485544);
do $$
begin
  perform pg_catalog.set_config('lock_timeout', '2000', true);
end
$$;

insert into latchkey.migrations (version, name, checksum)
values (30, 'digits-at-the-end', '8b064a67b6967991410e96f702d5bec245f83cdee6db9b34f7ab54a230bfcfa1');

do $$
begin
  update latchkey.held_usernames
  set skeleton = regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
    held_usernames.skeleton, '3(?=.*[a-z])', 'e', 'g'), '4(?=.*[a-z])', 'a', 'g'), '5(?=.*[a-z])', 's', 'g'),
    '7(?=.*[a-z])', 't', 'g'), '8(?=.*[a-z])', 'b', 'g')
  where held_usernames.skeleton ~ '[34578].*[a-z]';

  for attempt in 1..5 loop
    begin
      update latchkey.users
      set skeleton = case when numbered.place = 1 and not exists (
        select 1 from latchkey.users as others where others.skeleton = numbered.skeleton
      ) then numbered.skeleton end
      from (
        select changed.id, changed.skeleton,
          row_number() over (partition by changed.skeleton order by changed.created_at, changed.id) as place
        from (
          select users.id, users.created_at,
            regexp_replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
              users.skeleton, '3(?=.*[a-z])', 'e', 'g'), '4(?=.*[a-z])', 'a', 'g'), '5(?=.*[a-z])', 's', 'g'),
              '7(?=.*[a-z])', 't', 'g'), '8(?=.*[a-z])', 'b', 'g') as skeleton
          from latchkey.users
          where users.skeleton ~ '[34578].*[a-z]'
        ) as changed
      ) as numbered
      where users.id = numbered.id;
      exit;
    exception when unique_violation then
      if attempt = 5 then
        raise;
      end if;
    end;
  end loop;
end
$$;

update latchkey.migrations set compatible_with = 23 where version = 30;
insert into latchkey.user_sign_ins (user_id, last_sign_in_at, sign_in_method, sign_in_user_agent)
values ('01900000-0000-7000-8000-000000000002', '2026-01-15T11:00:00.000Z', 'passkey', 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0');
insert into latchkey.user_sign_ins (user_id, last_sign_in_at, sign_in_method)
values ('01900000-0000-7000-8000-000000000003', '2026-01-13T12:00:00.000Z', 'assisted_recovery');
insert into latchkey.users (id, username, skeleton, user_handle, created_at, role, display_name)
values ('01900000-0000-7000-8000-000000000001', 'rosa', 'rosa', 'poY2mMKEBBOtW-47UrD86dxMO1C1_c2XCK3C-EK9rlbs2US98Dsw3v35jyK0LzocV70E0wjnOTQgC45TefWcOA', '2025-12-16T12:00:00.000Z', 'superadmin', 'Rosa O''Neill');
insert into latchkey.users (id, username, skeleton, user_handle, created_at, role, display_name, fields, username_since)
values ('01900000-0000-7000-8000-000000000002', 'ada', 'ada', 'xJcoQPkxBg80SWIh-fkzKsoCOUNz4xefQk-gJ4MSOKCAAVKwryYD-8LkYhqTm-4ueOPb4bYRCKc87RQwM7ufpw', '2025-12-16T12:00:00.000Z', 'admin', 'Ada Ö.', '{"plan": "pro", "tags": ["Ö"]}', '2026-01-05T12:00:00.000Z');
insert into latchkey.users (id, username, skeleton, user_handle, created_at, password_hash, version)
values ('01900000-0000-7000-8000-000000000003', 'ben', 'ben', '29VwAPp0LtN1TbB5M8fxZTZvpIKYA3OYj0QcWaouMOjJFyzrnZqnxBruf72QRYW1AFqx-n5xWZFWTeK26RZ9Dw', '2025-12-16T12:00:00.000Z', '$2b$04$alwFrdFFRNM18u/5iwAf5eH8VFCeO2jXJclzBnj9nE8SD.bwCHNte', 3);
insert into latchkey.users (id, username, skeleton, user_handle, created_at, status, password_hash, session_epoch)
values ('01900000-0000-7000-8000-000000000004', 'cora', 'cora', 'XDW99SlwwHVW7WftWGhzca8x_OnSmfZkHkFbHe4hAuJfuEIAIvEiiM5PPNgqPyZ8XfDOQgY8J9PQlr1nhMcrsg', '2025-12-16T12:00:00.000Z', 'disabled', '$2b$04$alwFrdFFRNM18u/5iwAf5eH8VFCeO2jXJclzBnj9nE8SD.bwCHNte', 1);
insert into latchkey.users (id, username, skeleton, user_handle, created_at, status, deleted_at, session_epoch)
values ('01900000-0000-7000-8000-000000000005', 'dora', 'dora', '5iiDJGLLt_FYXO2rCYBVEokbUIXdCEVg7RnDafHzrAtCtLl6pUwEamfLAOfn2gnsbe91ekliV0MhbTHcooFmEg', '2025-12-16T12:00:00.000Z', 'disabled', '2026-01-14T12:00:00.000Z', 1);
insert into latchkey.users (id, username, user_handle, status, created_at, deleted_at)
values ('01900000-0000-7000-8000-000000000009', null, 'kW2irl6kHmFVpO4s1m-Vm2zqZC9ZOgfC8JIFWVkQ5gU', 'disabled', '2025-12-16T12:00:00.000Z', '2026-01-14T12:00:00.000Z');
insert into latchkey.users (id, username, user_handle, status, created_at, deleted_at, erased_at)
values ('01900000-0000-7000-8000-000000000010', null, null, 'disabled', null, '2026-01-14T12:00:00.000Z', '2026-01-15T11:00:00.000Z');
insert into latchkey.erased_usernames (digest, deleted_before)
values ('abababababababababababababababababababababababababababababababab', '2026-01-15T00:00:00.000Z');
insert into latchkey.held_usernames (username, skeleton, user_id, held_at)
values ('augusta', 'augusta', '01900000-0000-7000-8000-000000000002', '2026-01-05T12:00:00.000Z');
insert into latchkey.users (id, username, skeleton, user_handle, created_at)
values ('01900000-0000-7000-8000-000000000006', 'eli', 'ell', 'Dpuh-rzBP3RMFcohRnILAy5FcmxBT1KoVPrVWiIt6iTb0sE-5YDLo_5CrKa82ulxawAQUHeSsa8a7Zzgi8_JPw', '2025-12-16T12:00:00.000Z');
insert into latchkey.users (id, username, skeleton, user_handle, created_at)
values ('01900000-0000-7000-8000-000000000007', 'fay', 'fay', '4HvzFq8JrCTLVKEA_h-QFWnkQNqi2fP_kqRAjZUK5dceiOqC3FCfG1vegROXEChIbJB5Rnp6lqpSgmszVtWOUQ', '2025-12-16T12:00:00.000Z');
insert into latchkey.users (id, username, skeleton, user_handle, created_at, password_hash)
values ('01900000-0000-7000-8000-000000000008', 'gus', 'gus', 'bwyEcMEgm2kfF2L4mJ2OGoKko6rLCNYkesJeS4mou0rTk5yDFRyNLhf9bQLkeRoMRTAKnnVkaeSZlM3ISYg8gQ', '2025-12-16T12:00:00.000Z', '$2b$04$alwFrdFFRNM18u/5iwAf5eH8VFCeO2jXJclzBnj9nE8SD.bwCHNte');
insert into latchkey.passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at, last_used_at, user_handle, learns_user_handle)
values ('01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000001', 'Vi2l4lyKu7lwiPPBKq2Lk73gBKYUZTTBVmyPJyYLOJw', 'pQECAyYgASFYIGyDC5InIp8JMjRnTXNEa2g4tbKqByvW_GR6ym31rPAkIlggKkYruSzFVAuNv8E1nCIvngOMp-xx2SU5xeItb4WazCA', 0, '["internal","hybrid"]', '00000000-0000-0000-0000-000000000000', true, true, 'rosa’s phone', '2025-12-16T12:00:00.000Z', '2026-01-15T11:00:00.000Z', null, false);
insert into latchkey.passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at, last_used_at, user_handle, learns_user_handle)
values ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000002', 'Rq_fuvt1MLtMjqGXOEJ2PR8fd6ofCuChXW8DqmmmnoA', 'pAEBAycgBiFYIDlpTT70m7nRxvjXV0fYv4OutWgq9Av9OG-qlw3f1IkX', 0, '["internal","hybrid"]', '00000000-0000-0000-0000-000000000000', true, true, 'ada’s phone', '2025-12-16T12:00:00.000Z', '2026-01-15T11:00:00.000Z', 'xJcoQPkxBg80SWIh-fkzKsoCOUNz4xefQk-gJ4MSOKCAAVKwryYD-8LkYhqTm-4ueOPb4bYRCKc87RQwM7ufpw', false);
insert into latchkey.passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at, last_used_at, user_handle, learns_user_handle)
values ('01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000003', '4nA7JrF86QLBi9wjNPqEbZxM7xsPnVDfFeNVEa7fPZ4', 'pQECAyYgASFYIFp2kh2E2ecA26BY1WGjnULFGI8j57EJC4VGm61o2TDHIlggWSZ6wQJ-sC-tXQQWMtBRNMA0aRt-0d7PtdGTqL5OzbQ', 7, '["internal","hybrid"]', '00000000-0000-0000-0000-000000000000', true, true, 'ben’s phone', '2025-12-16T12:00:00.000Z', '2026-01-15T11:00:00.000Z', null, false);
insert into latchkey.passkeys (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at, last_used_at, user_handle, learns_user_handle)
values ('01900000-0000-7000-8000-000000000004', '01900000-0000-7000-8000-000000000004', 'j3_iOHCa41KExddIXDsQ7wq31DTmhNk-dR8wjRuP2Jc', 'pAEBAycgBiFYIDlpTT70m7nRxvjXV0fYv4OutWgq9Av9OG-qlw3f1IkX', 0, '["internal","hybrid"]', '00000000-0000-0000-0000-000000000000', true, true, 'cora’s phone', '2025-12-16T12:00:00.000Z', null, null, false);
insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip, user_agent)
values ('01900000-0000-7000-8000-000000000101', '01900000-0000-7000-8000-000000000003', 'uuDm3spOFb44nh_yI6ePqaSwcOciIL_pBOH7a4LYVEg', 'full', 'passkey', '2026-01-15T11:00:00.000Z', '2026-01-15T11:59:00.000Z', '2026-01-15T11:00:00.000Z', '2026-02-14T12:00:00.000Z', '2026-01-22T12:00:00.000Z', '192.0.2.7', 'Browser');
insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip, user_agent)
values ('01900000-0000-7000-8000-000000000102', '01900000-0000-7000-8000-000000000003', 'yIrIqRh9IJY-jMflfDHLpqscsRz4VSXwA4gs5-Fr_Lc', 'full', 'password', '2026-01-15T11:00:00.000Z', '2026-01-15T11:59:00.000Z', '2026-01-15T11:00:00.000Z', '2026-02-14T12:00:00.000Z', '2026-01-15T11:59:00.000Z', '192.0.2.7', 'Browser');
insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip, user_agent)
values ('01900000-0000-7000-8000-000000000103', '01900000-0000-7000-8000-000000000004', 'Jc2O18pOQi4qz-W7JoCa3QWBt303rbzVcPQE7K4dxYI', 'full', 'passkey', '2026-01-15T11:00:00.000Z', '2026-01-15T11:59:00.000Z', '2026-01-15T11:00:00.000Z', '2026-02-14T12:00:00.000Z', '2026-01-22T12:00:00.000Z', '192.0.2.7', 'Browser');
insert into latchkey.sessions (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip, user_agent)
values ('01900000-0000-7000-8000-000000000104', '01900000-0000-7000-8000-000000000007', '1ytjF11LW325F8a5oLKF_RMhO7Dj33Je2tUi02ePLVM', 'recovery', 'assisted_recovery', '2026-01-15T11:00:00.000Z', '2026-01-15T11:59:00.000Z', '2026-01-15T11:00:00.000Z', '2026-01-15T13:00:00.000Z', '2026-01-15T13:00:00.000Z', '192.0.2.7', 'Browser');
insert into latchkey.spent_challenges (nonce, forget_at)
values ('Pboixqcz83D_DaZFA0Epjh3deTx7gxkZW_7SCHEynXA', '2026-01-15T11:00:00.000Z');
insert into latchkey.spent_challenges (nonce, forget_at)
values ('PJRe2J8uac2CTI1cdLGZG5sgqqNtDeisG6Dr4637gvI', '2026-01-15T13:00:00.000Z');
insert into latchkey.bootstrap (one, user_id, at)
values (true, '01900000-0000-7000-8000-000000000001', '2025-12-16T12:00:00.000Z');
insert into latchkey.imported_users (source, source_id, user_id, import_id)
values ('old system', '42', '01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000800');
insert into latchkey.impersonation_links (token_hash, user_id, operator_name, reason, created_at, expires_at)
values ('7EPLAnjdTp_NjgVsrMe6_IZzzKRVi1jiZbfkS6pUj38', '01900000-0000-7000-8000-000000000008', 'ops', 'Ticket 4711', '2026-01-15T11:50:00.000Z', '2026-01-15T11:55:00.000Z');
insert into latchkey.audit_witnessed (origin, size, root, note, at)
values ('logs.example/a', 0, '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=', 'logs.example/a
0
47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=

', '2026-01-15T11:00:00.000Z');
insert into latchkey.webhooks (id, name, slot, url, events, secret, previous_secret, previous_until, state, reason, version, after_position, after_id, attempts, failing_since, next_at, last_at, last_status, last_fault, holder, held_until, created_at)
values ('01900000-0000-7000-8000-000000000800', 'siem', 1, 'https://siem.example.com/', 'passkey.,session.revoke', 'hiIsLVxpxjMWxRNGrvv2zYPG03gF_R1yTcHjqHd-AQxWnSiYP38zXqHpJsIFevRRj5BcaN4TDVQ_iy1ycDTUyhPfN5OEb1vqDOz68giJXqNbQA7rJiBi1whyMrDLJVEDjFQNBx18HBM2qT0FZx4', null, null, 'paused', 'failing', 1, -1, null, 11, '2026-01-12T12:00:00.000Z', '2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z', 500, 'refused', null, null, '2026-01-11T12:00:00.000Z');
insert into latchkey.recovery_codes (code_hash, key_id, user_id, created_at)
values ('SJnUAym-TswLKFSDTKDkZShnD2nEi3BBtkctOVDf1CA', 'Ssm0pN_q', '01900000-0000-7000-8000-000000000003', '2026-01-14T12:00:00.000Z');
insert into latchkey.recovery_codes (code_hash, key_id, user_id, created_at, used_at)
values ('M-kHPQsrp0_Ar5qdVRCyMhtafBFHzTVj3wh8IQoADFA', 'Ssm0pN_q', '01900000-0000-7000-8000-000000000003', '2026-01-14T12:00:00.000Z', '2026-01-15T11:00:00.000Z');
insert into latchkey.recovery_links (user_id, token_hash, maker_id, created_at, usable_at, expires_at)
values ('01900000-0000-7000-8000-000000000006', 'OirU2LhIR9P3d-oCIPB5-I0l0g3Z8pZYBPJ7LxHHXRA', '01900000-0000-7000-8000-000000000001', '2026-01-15T11:59:00.000Z', '2026-01-15T11:59:00.000Z', '2026-01-15T13:00:00.000Z');
insert into latchkey.recovery_links (user_id, token_hash, maker_id, created_at, usable_at, expires_at, session_id, used_at)
values ('01900000-0000-7000-8000-000000000007', 'lUE-m6zzy18dQWjw3fYdLuJI5ldM8zJq-y1BDH0X0aw', '01900000-0000-7000-8000-000000000001', '2026-01-15T11:59:00.000Z', '2026-01-15T11:59:00.000Z', '2026-01-15T13:00:00.000Z', '01900000-0000-7000-8000-000000000104', '2026-01-15T11:59:30.000Z');
insert into latchkey.organizations (id, name, slug, version, created_by, created_at)
values ('01900000-0000-7000-8000-000000000300', 'Chess Club', 'chess', 2, '01900000-0000-7000-8000-000000000002', '2025-12-26T12:00:00.000Z');
insert into latchkey.memberships (organization_id, user_id, role, joined_at)
values ('01900000-0000-7000-8000-000000000300', '01900000-0000-7000-8000-000000000002', 'admin', '2025-12-26T12:00:00.000Z');
insert into latchkey.memberships (organization_id, user_id, role, joined_at)
values ('01900000-0000-7000-8000-000000000300', '01900000-0000-7000-8000-000000000003', 'user', '2025-12-26T12:00:00.000Z');
insert into latchkey.invitations (id, token_hash, role, created_at, created_by, expires_at)
values ('01900000-0000-7000-8000-000000000400', '51YP52tq7Znfcv89fgtup5DWmr-sP_z8h6K2eF_mG8w', 'admin', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-16T12:00:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, token_hash, role, created_at, created_by, expires_at)
values ('01900000-0000-7000-8000-000000000500', '01900000-0000-7000-8000-000000000300', 'g2NJJcb5EBDhLodpgC6iMbQVIwLThlKh2omspUmOwC8', 'user', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-16T12:00:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, user_id, role, created_at, created_by, expires_at)
values ('01900000-0000-7000-8000-000000000600', '01900000-0000-7000-8000-000000000300', '01900000-0000-7000-8000-000000000008', 'user', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-16T12:00:00.000Z');
insert into latchkey.invitations (id, token_hash, role, created_at, created_by, expires_at)
values ('01900000-0000-7000-8000-000000000401', 'fVpDh5rZzH-kuqu39o4Y_0Np_ZkJpuFhXo_DFfADpLU', 'admin', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-14T12:00:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, token_hash, role, created_at, created_by, expires_at)
values ('01900000-0000-7000-8000-000000000501', '01900000-0000-7000-8000-000000000300', 'HRCi2ICPwWVhNuGWAiB0gxPdnwVzCTuD1f6pazSAXt0', 'user', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-14T12:00:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, user_id, role, created_at, created_by, expires_at)
values ('01900000-0000-7000-8000-000000000601', '01900000-0000-7000-8000-000000000300', '01900000-0000-7000-8000-000000000008', 'user', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-14T12:00:00.000Z');
insert into latchkey.invitations (id, token_hash, role, created_at, created_by, expires_at, revoked_at)
values ('01900000-0000-7000-8000-000000000402', '7_ALSQBijZZ-URxOH3DLsefuoI8dLiVkdrkdLTPHcOc', 'admin', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-16T12:00:00.000Z', '2026-01-15T11:59:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, token_hash, role, created_at, created_by, expires_at, revoked_at)
values ('01900000-0000-7000-8000-000000000502', '01900000-0000-7000-8000-000000000300', '3XJQcbK-PTmvrwBn9ZO2uxaeFWDhn2wwKB3WhQc2KgU', 'user', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-16T12:00:00.000Z', '2026-01-15T11:59:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, user_id, role, created_at, created_by, expires_at, revoked_at, declined_at)
values ('01900000-0000-7000-8000-000000000602', '01900000-0000-7000-8000-000000000300', '01900000-0000-7000-8000-000000000008', 'user', '2026-01-13T12:00:00.000Z', '01900000-0000-7000-8000-000000000001', '2026-01-16T12:00:00.000Z', null, '2026-01-15T11:59:00.000Z');
insert into latchkey.invitations (id, token_hash, role, created_at, expires_at, accepted_by, accepted_at)
values ('01900000-0000-7000-8000-000000000403', 'sXta3PpFUylYEjJqiqSIG9t2A4fShnSycPMC_M4PxoU', 'admin', '2026-01-13T12:00:00.000Z', '2026-01-16T12:00:00.000Z', '01900000-0000-7000-8000-000000000002', '2026-01-15T11:59:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, token_hash, role, created_at, expires_at, accepted_by, accepted_at)
values ('01900000-0000-7000-8000-000000000503', '01900000-0000-7000-8000-000000000300', 'w6_Yer5CnZ6fpV4-t-oP5Lu6mIw5aEq8CoRdBnh8cZE', 'user', '2026-01-13T12:00:00.000Z', '2026-01-16T12:00:00.000Z', '01900000-0000-7000-8000-000000000002', '2026-01-15T11:59:00.000Z');
insert into latchkey.organization_invitations (id, organization_id, user_id, role, created_at, expires_at, accepted_by, accepted_at)
values ('01900000-0000-7000-8000-000000000603', '01900000-0000-7000-8000-000000000300', '01900000-0000-7000-8000-000000000008', 'user', '2026-01-13T12:00:00.000Z', '2026-01-16T12:00:00.000Z', '01900000-0000-7000-8000-000000000002', '2026-01-15T11:59:00.000Z');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type, actor_id, actor_name, ip, user_agent, request_id, target_type, target_id, target_name)
values ('01900000-0000-7000-8000-000000000701', '2026-01-14T12:00:01.000Z', 'account.signup', 'success', '{}', 'user', '01900000-0000-7000-8000-000000000003', 'ben', '192.0.2.7', 'Browser', 'request-1', 'user', '01900000-0000-7000-8000-000000000003', 'ben');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type)
values ('01900000-0000-7000-8000-000000000702', '2026-01-14T12:00:02.000Z', 'passkey.login', 'failure', '{"reason": "unknown_credential"}', 'anonymous');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type, actor_id, actor_name, ip, user_agent, request_id, target_type, target_id, target_name)
values ('01900000-0000-7000-8000-000000000703', '2026-01-14T12:00:03.000Z', 'password.add', 'success', '{}', 'user', '01900000-0000-7000-8000-000000000003', 'ben', '192.0.2.7', 'Browser', 'request-1', 'user', '01900000-0000-7000-8000-000000000003', 'ben');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type, actor_id, actor_name, ip, user_agent, request_id, target_type, target_id, target_name)
values ('01900000-0000-7000-8000-000000000704', '2026-01-14T12:00:04.000Z', 'user.disable', 'success', '{}', 'user', '01900000-0000-7000-8000-000000000001', 'rosa', '192.0.2.7', 'Browser', 'request-1', 'user', '01900000-0000-7000-8000-000000000004', 'cora');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type, actor_id, actor_name, ip, user_agent, request_id, target_type, target_id, target_name, organization_id)
values ('01900000-0000-7000-8000-000000000705', '2026-01-14T12:00:05.000Z', 'member.add', 'success', '{"role": "user"}', 'user', '01900000-0000-7000-8000-000000000002', 'ada', '192.0.2.7', 'Browser', 'request-1', 'user', '01900000-0000-7000-8000-000000000003', 'ben', '01900000-0000-7000-8000-000000000300');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type, actor_name, target_type, target_id, target_name)
values ('01900000-0000-7000-8000-000000000706', '2026-01-14T12:00:06.000Z', 'superadmin.bootstrap', 'success', '{}', 'operator', 'ops', 'user', '01900000-0000-7000-8000-000000000001', 'rosa');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type)
values ('01900000-0000-7000-8000-000000000707', '2026-01-14T12:00:07.000Z', 'audit.prune', 'success', '{"removed": 3}', 'system');
insert into latchkey.audit_events (id, at, event, outcome, details, actor_type, ip, count)
values ('01900000-0000-7000-8000-000000000708', '2026-01-14T12:00:08.000Z', 'passkey.login', 'failure', '{"reason": "challenge_unknown_or_expired", "firstAt": "2026-01-14T12:00:00.000Z", "lastAt": "2026-01-14T12:00:08.000Z"}', 'anonymous', '192.0.2.7', 989);
