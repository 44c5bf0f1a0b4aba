import type { Sql } from 'postgres';
import { familyNames, givenNames } from './identity.ts';

export const peopleInOrganization = 100;

const eventsOfEach = 10;

/**
 * Inserts users who signed up over a year. Each user has a passkey, two sessions and ten events. All passkeys have the
 * same public key, so that one private key can sign in as every user.
 */
export async function seed(sql: Sql, people: number, publicKey: string): Promise<void> {
  await sql`set synchronous_commit = off`;
  await sql`set maintenance_work_mem = '1GB'`;
  await sql`set work_mem = '512MB'`;
  const restore = await dropConstraintsAndIndexes(sql);
  // Declared stable, so that PostgreSQL inlines the function.
  await sql`
    create function public.digest(given text) returns text language sql stable
      return rtrim(translate(encode(sha256(convert_to(given, 'UTF8')), 'base64'), '+/', '-_'), '=')`;
  await seedPeople(sql, people);
  await seedPasskeys(sql, publicKey);
  await seedSessions(sql);
  await seedOrganizations(sql);
  await seedInvitations(sql, people);
  await seedEvents(sql, people);
  await restore();
  await sql`vacuum analyze`;
  await sql`checkpoint`;
}

/** Drops indexes and constraints. It is faster to create them again after all rows are inserted. */
async function dropConstraintsAndIndexes(sql: Sql): Promise<() => Promise<void>> {
  const constraints = await sql<{ table: string; name: string; definition: string }[]>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'latchkey'::regnamespace and contype in ('p', 'u', 'f')
    order by contype = 'f'`;
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'latchkey'::regnamespace and indexrelid not in (select conindid from pg_constraint)`;
  for (const { table, name } of constraints.toReversed())
    await sql.unsafe(`alter table ${table} drop constraint ${name}`);
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`);
  return async () => {
    for (const { table, name, definition } of constraints)
      await sql.unsafe(`alter table ${table} add constraint ${name} ${definition}`);
    for (const { definition } of indexes) await sql.unsafe(definition);
  };
}

/** User n belongs to organization n / 100. The first member is the organization admin. */
async function seedPeople(sql: Sql, people: number): Promise<void> {
  await sql`
    create unlogged table public.person as
    select n, uuidv7(n * interval '1 year' / ${people}::bigint - interval '1 year') as id,
      n / ${peopleInOrganization}::bigint as circle,
      case when n < 10 then 'zoe'
        else (${[...givenNames]}::text[])[1 + n % ${givenNames.length}::bigint]
      end as given,
      (${[...familyNames]}::text[])[1 + n % ${familyNames.length}::bigint] as family
    from generate_series(0, ${people - 1}::bigint) as n`;
  await sql`alter table public.person add primary key (n)`;
  await sql`analyze public.person`;
  await sql`
    insert into latchkey.users (id, username, display_name, role, user_handle, created_at)
    select id, given || '.' || family || n, case when n % 2 = 0 then initcap(given || ' ' || family) end,
      case when n % ${peopleInOrganization}::bigint = 0 then 'admin' else 'user' end,
      digest('handle ' || n) || digest('handle of ' || n), uuid_extract_timestamp(id)
    from person order by n`;
}

const seedPasskeys = (sql: Sql, publicKey: string) => sql`
  insert into latchkey.passkeys
    (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at)
  select uuidv7(), id, digest('credential ' || n), ${publicKey}::text, 0, '["internal","hybrid"]',
    '00000000-0000-0000-0000-000000000000', true, true, 'A passkey', uuid_extract_timestamp(id)
  from person order by n`;

/**
 * The first session counts as just used during the whole run. The last use of the second session is so old that a check
 * updates it.
 */
const seedSessions = (sql: Sql) => sql`
  insert into latchkey.sessions
    (id, user_id, token_hash, kind, method, created_at, last_seen_at, authenticated_at, ends_at, expires_at, ip, user_agent)
  select uuidv7(), id, digest(digest('session ' || state || ' ' || n)), 'full', 'passkey', now(), seen, now(),
    now() + interval '7 days', now() + interval '2 days', '198.51.100.' || n % 250,
    'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
  from person
  cross join (values ('in use', now() + interval '1 day'), ('at rest', now() - interval '1 hour')) as states (state, seen)
  order by n`;

/** A tenth of the members joined a month ago. Organization admins do not see earlier events of these members. */
async function seedOrganizations(sql: Sql): Promise<void> {
  await sql`
    create unlogged table public.circle as
    select circle, uuidv7() as id from (select distinct circle from person order by circle) as circles`;
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    select id, 'Organization ' || circle, 'organization-' || circle, now() from circle`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select circle.id, person.id, case when n % ${peopleInOrganization}::bigint = 0 then 'admin' else 'user' end,
      now() - case when n % 10 = 3 then interval '1 month' else interval '2 years' end
    from person join circle using (circle)`;
}

/** One invitation per thousand users, but at least 300, so that the pending invitations fill more than a page. */
const seedInvitations = (sql: Sql, people: number) => sql`
  insert into latchkey.invitations
    (id, token_hash, role, created_by, created_at, expires_at, revoked_at, accepted_by, accepted_at)
  select uuidv7(place * interval '1 hour' - interval '1 year'), digest('invitation ' || place), 'admin',
    (select id from person where n = 0), now(), now() + case when place % 10 = 0 then 1 else -1 end * interval '1 day',
    case when place % 10 = 1 then now() end, case when place % 2 = 1 then id end, case when place % 2 = 1 then now() end
  from generate_series(1, ${Math.max(300, people / 1000)}::bigint) as place
  join person on n = place`;

/**
 * Inserts events over a year. Most are sign-ins, some are actions on other members, and a tenth are failures. Multiples
 * of irrational numbers take the place of random numbers, so that each run has the same data.
 */
const seedEvents = (sql: Sql, people: number) => sql`
  insert into latchkey.audit_events
    (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
     organization_id, ip, user_agent, request_id, details)
  select uuidv7(since - interval '1 year'), now() + since - interval '1 year',
    case
      when kind < 0.50 then 'passkey.login'
      when kind < 0.60 then 'passkey.stepup'
      when kind < 0.70 then 'password.login'
      when kind < 0.78 then 'session.logout'
      when kind < 0.79 then 'passkey.add'
      when kind < 0.80 then 'user.disable'
      when kind < 0.95 then 'member.add'
      else 'organization.update'
    end,
    case when outcome < 0.1 then 'failure' else 'success' end,
    'user', actors.id, actors.given || '.' || actors.family || actors.n,
    'user', targets.id::text, targets.given || '.' || targets.family || targets.n,
    case when kind >= 0.79 then circle.id end,
    '198.51.100.' || event % 250, 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    gen_random_uuid()::text, '{}'
  from (
    select event, event * 618033 % ${people}::bigint as actor,
      kinds - floor(kinds) as kind, outcomes - floor(outcomes) as outcome,
      floor((others - floor(others)) * ${peopleInOrganization}::bigint)::bigint as other,
      event * interval '1 year' / ${people * eventsOfEach}::bigint as since
    from generate_series(1, ${people * eventsOfEach}::bigint) as event
    cross join lateral (
      values (event * 0.6180339887::float8, event * 0.7548776662::float8, event * 0.5698402910::float8)
    ) as strewn (kinds, outcomes, others)
    offset 0
  ) as dice
  join person as actors on actors.n = actor
  join circle using (circle)
  join person as targets
    on targets.n = case when kind < 0.79 then actor else actors.circle * ${peopleInOrganization}::bigint + other end
  order by event`;
