/**
 * Creates users, passkeys, sessions, spent challenges and the audit log.
 *
 * Binary values are stored as base64url text, which needs no conversion for comparing and printing. All times come from
 * `latchkey.clock()`, so an expiry does not depend on the clocks of the service's processes. The trigger is in a `do`
 * block, because pg-mem (the in-memory database for tests) does not support triggers and skips `do` blocks.
 */
export const accounts = {
  version: 1,
  name: 'accounts',
  script: `
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
`,
};
