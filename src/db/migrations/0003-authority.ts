/**
 * Adds tables for superadmins, invitations and organizations, and indexes for audit filters and user searches.
 *
 * Deleting an account keeps its row, so that the username stays taken.
 *
 * An account has an epoch, a number that is copied to each new session. A session is valid only while its epoch equals
 * the account's epoch. Incrementing the account's epoch ends every session. This includes a session that a concurrent
 * sign-in is opening.
 *
 * `superadmin_roster` has a single row with a version. Each statement that demotes, disables or deletes a superadmin
 * increments this version. So if several of these statements run at the same time, only one succeeds.
 *
 * The `do` block creates indexes that pg-mem (the in-memory database for tests) does not support. pg-mem skips `do`
 * blocks. The audit indexes include the columns that audit filters use, so that PostgreSQL can apply a filter without
 * reading the rows.
 */
export const authority = {
  version: 3,
  name: 'authority',
  script: `
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
`,
};
