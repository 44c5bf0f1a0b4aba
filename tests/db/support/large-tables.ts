import type { Sql } from 'postgres';
import { gatherStatistics } from './gather-statistics.ts';

/** The tables that grow with the number of users and their activity. */
export const largeTables = [
  'users',
  'user_sign_ins',
  'passkeys',
  'sessions',
  'audit_events',
  'audit_entries',
  'recovery_codes',
  'recovery_links',
  'spent_challenges',
  'memberships',
  'organizations',
  'invitations',
  'organization_invitations',
];

/** Inserts enough rows for PostgreSQL to choose the plans of a large database. */
export async function fillTables(sql: Sql): Promise<void> {
  await sql.unsafe(script);
  await gatherStatistics(sql, largeTables);
}

// Four users per organization. A user's id contains a number, which determines the user's attributes.
const script = `
-- Uses the clock of production. The test clock reads a table, and the plans would show this table.
create or replace function latchkey.clock() returns timestamptz language sql stable as $$ select now() $$;
-- Skips foreign key checks; every referenced row is inserted.
set session_replication_role = replica;

create function pg_temp.id(n bigint) returns uuid language sql immutable
  as $$ select lpad(to_hex(n), 32, '0')::uuid $$;

insert into latchkey.users (id, username, skeleton, display_name, role, status, user_handle, created_at)
select pg_temp.id(n), 'person-' || n, 'person' || n, case when n % 2 = 0 then 'Person ' || n end,
  case n % 100 when 0 then 'admin' else 'user' end, case n % 200 when 1 then 'disabled' else 'active' end,
  'handle-' || n, now() from generate_series(1, 20000) as n;

insert into latchkey.user_sign_ins (user_id, last_sign_in_at, sign_in_method)
select pg_temp.id(n), now() - n * interval '1 minute', 'passkey' from generate_series(1, 20000) as n;

insert into latchkey.passkeys
  (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at)
select pg_temp.id(n), pg_temp.id(n), 'credential-' || n, 'key', 0, '[]', pg_temp.id(0), true, true, 'label', now()
from generate_series(1, 20000) as n;

insert into latchkey.sessions
  (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at)
select pg_temp.id(n), pg_temp.id(1 + n / 2), 'hash-' || n, 'full', 'passkey', now(), now(), now(), now(),
  now() + (n - 500) * interval '1 second' from generate_series(1, 40000) as n;

insert into latchkey.spent_challenges (nonce, forget_at)
select 'nonce-' || n, now() + (n - 500) * interval '1 second' from generate_series(1, 20000) as n;

insert into latchkey.recovery_codes (code_hash, key_id, user_id, created_at)
select 'hash-' || n, 'key', pg_temp.id(1 + n / 10), now() from generate_series(1, 20000) as n;

insert into latchkey.recovery_links
  (user_id, token_hash, maker_id, created_at, usable_at, expires_at, session_id, used_at)
select pg_temp.id(n), 'hash-' || n, pg_temp.id(1 + n / 10), now(), now(), now() + (n - 500) * interval '1 second',
  case n % 2 when 0 then pg_temp.id(n) end, case n % 2 when 0 then now() end
from generate_series(1, 10000) as n;

insert into latchkey.organizations (id, name, slug, created_at)
select pg_temp.id(n), 'Organization ' || n, 'organization-' || n, now() from generate_series(0, 5000) as n;

insert into latchkey.memberships (organization_id, user_id, role, joined_at)
select pg_temp.id(n / 4), pg_temp.id(n), case n % 4 when 0 then 'admin' else 'user' end,
  now() - interval '1 year'
from generate_series(1, 20000) as n;

insert into latchkey.invitations (id, token_hash, role, created_by, created_at, expires_at, accepted_by, accepted_at)
select pg_temp.id(n), 'hash-' || n, 'admin', pg_temp.id(1 + n / 10), now(), now() + (n - 9500) * interval '1 second',
  case when n % 2 = 0 then pg_temp.id(n) end, case when n % 2 = 0 then now() end
from generate_series(1, 10000) as n;

insert into latchkey.organization_invitations
  (id, organization_id, user_id, token_hash, role, created_by, created_at, expires_at, accepted_by, accepted_at)
select pg_temp.id(n), pg_temp.id(n / 4), case when n % 3 > 0 then pg_temp.id(1 + n / 5) end,
  case when n % 3 = 0 then 'hash-' || n end, 'user', pg_temp.id(1 + n / 10), now(),
  now() + (n - 9500) * interval '1 second', case when n % 2 = 0 then pg_temp.id(n) end,
  case when n % 2 = 0 then now() end
from generate_series(1, 20000) as n;

insert into latchkey.audit_events
  (id, xid, at, event, outcome, actor_type, actor_id, target_type, target_id, organization_id, details)
select pg_temp.id(n), n::text::xid8, now() + (n - 120000) * interval '1 minute',
  (array['passkey.login', 'passkey.login', 'passkey.stepup', 'session.logout', 'member.add'])[1 + n % 5],
  case when n % 10 = 7 then 'failure' else 'success' end, 'user', pg_temp.id(1 + n * 7919 % 20000),
  'user', pg_temp.id(1 + n * 7919 % 20000)::text, case when n % 5 = 4 then pg_temp.id(n * 7919 % 5000) end, '{}'
from generate_series(1, 120000) as n;

insert into latchkey.audit_entries (position, event_id, at, commitment)
select n - 1, pg_temp.id(n), now() + (n - 120000) * interval '1 minute', sha256(n::text::bytea)
from generate_series(1, 119900) as n;
update latchkey.audit_log set size = 119900, seen = '119901:119901:';

reset session_replication_role;`;
