import type { Sql } from 'postgres';
import { median } from 'simple-statistics';
import { type MeasuredService, startService } from './support/service.ts';
import { timed } from './support/timed.ts';
import { expectStatus, newVisitor, signUp, type Visitor } from './support/visitor.ts';

// Measures how much slower a page of 50 audit events is when the log is a thousand times as large. Alternates between
// two services, so that other load on the machine affects both.
const sizes = [1000, 1_000_000] as const;
const samples = 50;
const most = 3;
/** The time limit for all samples of one kind of page. */
const longestMs = 60_000;

/** A service with an audit log, and the values for its queries. */
interface Place {
  service: MeasuredService;
  superadmin: Visitor;
  admin: Visitor;
  /** The user with the most events in the admin's organization. That organization has more events than any other. */
  person: string;
  organization: string;
  /** The cursor in the middle of the log. */
  cursor: string;
}

type Asked = [as: 'superadmin' | 'admin', query: (place: Place) => string];
const pages: Record<string, Asked> = {
  'first page': ['superadmin', () => ''],
  'a page in the middle': ['superadmin', ({ cursor }) => `cursor=${cursor}`],
  'by actor': ['superadmin', ({ person }) => `actorId=${person}`],
  'by target': ['superadmin', ({ person }) => `targetId=${person}`],
  'by a common event': ['superadmin', () => 'event=passkey.login'],
  'by a rare event': ['superadmin', () => 'event=user.disable'],
  'by a common prefix': ['superadmin', () => 'event=passkey.'],
  'by a rare prefix': ['superadmin', () => 'event=user.'],
  'by a rare prefix, in the middle': ['superadmin', ({ cursor }) => `event=user.&cursor=${cursor}`],
  'by outcome': ['superadmin', () => 'outcome=failure'],
  'by organization': ['superadmin', ({ organization }) => `organizationId=${organization}`],
  'by actor and a rare event': ['superadmin', ({ person }) => `actorId=${person}&event=user.`],
  'an admin’s': ['admin', () => ''],
  'an admin’s, in the middle': ['admin', ({ cursor }) => `cursor=${cursor}`],
  'an admin’s, by organization': ['admin', ({ organization }) => `organizationId=${organization}`],
  'an admin’s, by actor': ['admin', ({ person }) => `actorId=${person}`],
  'an admin’s, by a common event': ['admin', () => 'event=member.add'],
  'an admin’s, by a rare event': ['admin', () => 'event=user.disable'],
  'an admin’s, by outcome': ['admin', () => 'outcome=failure'],
};

const places: Place[] = [];
let tooSlow = 0;
try {
  for (const size of sizes) places.push(await settle(size));
  console.log(`
### One page of 50 of the audit log, over HTTP: median of ${samples}

| page | events on it | ms at 1,000 | events on it | ms at 1,000,000 | ratio |
|---|---|---|---|---|---|`);
  for (const [name, asked] of Object.entries(pages)) {
    const [few, many] = await measureInTurn(asked);
    const ratio = (many?.median ?? 0) / (few?.median ?? 0);
    if (!(ratio <= most)) tooSlow += 1;
    const columns = [few, many].flatMap((place) => [place?.shown, place?.median.toFixed(2)]);
    console.log(`| ${[name, ...columns, ratio.toFixed(2)].join(' | ')} |`);
  }
} finally {
  for (const { service } of places) await service.stop();
}
console.log(`\nPages more than ${most} times as slow in the larger log: ${tooSlow}.`);
process.exitCode = tooSlow === 0 ? 0 : 1;

async function measureInTurn([as, query]: Asked) {
  const measured = places.map((place) => ({ place, times: [] as number[], shown: '' }));
  // PostgreSQL can switch to a generic plan from the sixth use of a statement on a connection.
  const warmUp = 30;
  const enough = performance.now() + longestMs;
  for (let round = -warmUp; round < samples; round += 1) {
    // Stops early, because a slow page needs fewer samples.
    if (performance.now() > enough && measured.every(({ times }) => times.length > 0)) break;
    for (const measuring of measured) {
      const path = `/admin/audit?limit=50&${query(measuring.place)}`;
      const time = await timed(async () => {
        const { status, body } = expectStatus(await measuring.place[as].get(path), 200, 503);
        measuring.shown = status === 200 ? `${body.events.length}` : 'timed out';
      });
      if (round >= 0 || performance.now() > enough) measuring.times.push(time);
    }
  }
  return measured.map(({ times, shown }) => ({ median: median(times), shown }));
}

/**
 * Starts a service with a log of this size and a thousand users in ten organizations. Three in ten members join when
 * nine tenths of the log already exist. Between the events that an admin sees, the log contains earlier events of these
 * members, which the admin does not see.
 */
async function settle(size: number): Promise<Place> {
  const service = await startService();
  const { sql, url } = service;
  const [superadmin, admin] = [newVisitor(url), newVisitor(url)];
  await signUp(superadmin, 'ruler');
  await signUp(admin, 'manager');
  await sql`update latchkey.users set role = case username when 'ruler' then 'superadmin' else 'admin' end`;
  await sql`
    insert into latchkey.users (id, username, user_handle, created_at)
    select gen_random_uuid(), 'person-' || n, 'handle-' || n, now() from generate_series(0, 999) as n`;
  await sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    select gen_random_uuid(), 'Organization ' || n, 'organization-' || n, now() from generate_series(0, 9) as n`;
  await sql`
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select organizations.id, users.id, 'user',
      timestamptz '2024-01-01Z' + case when place % 100 >= 70 then ${size}::bigint * 0.9 else 0 end * interval '1 minute'
    from (
      select id, substr(username, 8)::integer as place from latchkey.users where username like 'person-%'
    ) as users
    join latchkey.organizations on slug = 'organization-' || (place % 10)
    union all
    select organizations.id, users.id, 'admin', timestamptz '2024-01-01Z'
    from latchkey.organizations, latchkey.users where slug = 'organization-0' and username = 'manager'`;
  await fill(sql, size);
  const [known] = await sql<{ person: string; organization: string; middle: string }[]>`
    select (select id from latchkey.users where username = 'person-0') as person,
      (select id from latchkey.organizations where slug = 'organization-0') as organization,
      (select id from latchkey.audit_events order by at, id offset ${size / 2}::bigint limit 1) as middle`;
  if (!known) throw new Error('Seeding created no users.');
  const cursor = Buffer.from(known.middle).toString('base64url');
  return { service, superadmin, admin, ...known, cursor };
}

/**
 * Inserts one event a minute. A few users and organizations have most of the events. Most events are sign-ins. Few
 * events are by admins. One in ten is a failure.
 */
async function fill(sql: Sql, size: number): Promise<void> {
  await sql`
    with person as (
      select id, username, substr(username, 8)::integer as place
      from latchkey.users where username like 'person-%'
    ),
    organization as (
      select id, substr(slug, 14)::integer as place from latchkey.organizations
    ),
    dice as (
      select n, random() as kind, random() as outcome, floor(random() ^ 3 * 1000) as actor,
        floor(random() ^ 3 * 1000) as target, floor(random() ^ 2 * 10) as organization
      from generate_series((select count(*) from latchkey.audit_events) + 1, ${size}::bigint) as n
    )
    insert into latchkey.audit_events
      (id, at, event, outcome, actor_type, actor_id, actor_name, target_type, target_id, target_name,
       organization_id, ip, user_agent, request_id, details)
    select gen_random_uuid(), timestamptz '2024-01-01Z' + n * interval '1 minute',
      case
        when kind < 0.50 then 'passkey.login'
        when kind < 0.60 then 'passkey.stepup'
        when kind < 0.70 then 'password.login'
        when kind < 0.78 then 'session.logout'
        when kind < 0.79 then 'passkey.add'
        when kind < 0.797 then 'user.get'
        when kind < 0.799 then 'user.disable'
        when kind < 0.80 then 'user.change_role'
        when kind < 0.95 then 'member.add'
        else 'organization.update'
      end,
      case when outcome < 0.1 then 'failure' else 'success' end,
      'user', actors.id, actors.username, 'user', targets.id::text, targets.username,
      case when kind >= 0.79 then organization.id end,
      '198.51.100.' || n % 250, 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
      gen_random_uuid()::text, '{}'
    from dice
    join person as actors on actors.place = dice.actor
    join person as targets on targets.place = case when kind < 0.79 then dice.actor else dice.target end
    join organization on organization.place = dice.organization`;
  await sql`vacuum analyze latchkey.audit_events`;
}
