import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransactionSql } from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { newUsername, type Person, signUp, userIdOf } from '../../support/person.ts';
import { randomBytesOf } from '../../support/random.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { callDuring } from '../../support/waiting.ts';
import { commandsOn, expectNoStack, jsonOn, startCommand, temporaryFolders } from './support/command.ts';
import { operator } from './support/superadmin.ts';

let service: TestService;
let ada: Person;
let bob: Person;
const latchkey = commandsOn(() => service.database);
const json = jsonOn(() => service.database);
const newFolder = temporaryFolders();
beforeAll(async () => {
  service = await startTestService();
  [ada, bob] = [await signUp(service), await signUp(service)];
});
afterAll(() => service.close());

/** The number of events before the part of a test that expects certain events. */
let before = 0;
const markEvents = async () => {
  before = (await service.auditRows()).length;
};
beforeEach(markEvents);

const randomBytes = randomBytesOf('organizations-import');
const newSlug = () => newUsername('org');
const fileWith = (...lines: (object | string)[]): string => {
  const file = join(newFolder(), 'organizations.ndjson');
  writeFileSync(
    file,
    lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'),
  );
  return file;
};
const membersOf = async (slug: string): Promise<string[]> =>
  (await json(`organizations members ${slug}`)).members.map(
    ({ user, role }: { user: { username: string }; role: string }) => `${user.username} ${role}`,
  );
const newEvents = async () => (await service.auditRows()).slice(before);
const eventCounts = async () => {
  const counts: Record<string, number> = {};
  for (const { event, outcome } of await newEvents())
    counts[`${event} ${outcome}`] = (counts[`${event} ${outcome}`] ?? 0) + 1;
  return counts;
};
const member = ({ username }: Person, role = 'user') => ({ username, role });

/** Runs an import that refuses records, and returns its report and the refused records. */
async function importing(file: string, flags = '') {
  const refused = join(newFolder(), 'refused.ndjson');
  const { exitCode, stdout } = await latchkey(
    `organizations import ${file} --refused ${refused} ${flags} --json`,
  );
  const lines = readFileSync(refused, 'utf8').split('\n').filter(Boolean);
  return {
    exitCode,
    report: JSON.parse(stdout),
    refused: lines.map((line) => JSON.parse(line)),
    file: refused,
  };
}

describe('`latchkey organizations import`', () => {
  test('creates organizations with their members, and records each change with the operator', async () => {
    const [one, other] = [newSlug(), newSlug()];
    const createdAt = '2024-01-02T03:04:05.000Z';
    const file = fileWith(
      { slug: one, name: 'Engines', createdAt, members: [member(ada, 'admin'), member(bob)] },
      '',
      { slug: other, name: 'Ölmühle' },
    );
    const { exitCode, stdout, stderr } = await latchkey(`organizations import ${file}`);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /^Created +2 organizations\nExisted already +0 organizations\nAdded +2 members\nWere members +0 users\nRefused +none\n$/,
    );
    expect(await json(`organizations get ${one}`)).toMatchObject({
      organization: { name: 'Engines', createdAt },
    });
    expect((await json(`organizations get ${other}`)).organization.name).toBe('Ölmühle');
    expect(await membersOf(one)).toEqual([`${ada.username} admin`, `${bob.username} user`].sort());
    expect(await membersOf(other)).toEqual([]);
    expect(await eventCounts()).toEqual({ 'member.add success': 2, 'organization.create success': 2 });
    for (const event of await newEvents())
      expect(event).toMatchObject({ actor_type: 'operator', actor_name: operator });
  });

  test('changes and records nothing the second time', async () => {
    const slug = newSlug();
    const file = fileWith({ slug, name: 'Engines', members: [member(ada, 'admin'), member(bob)] });
    await json(`organizations import ${file}`);
    await markEvents();
    expect(await json(`organizations import ${file}`)).toEqual({
      dryRun: false,
      organizations: { created: 0, alreadyExisting: 1 },
      members: { added: 0, alreadyMembers: 2 },
      refused: {},
    });
    expect(await eventCounts()).toEqual({});
  });

  test('adds only the missing members of an existing organization, and keeps its name', async () => {
    const slug = newSlug();
    await json(`organizations create Engines --slug ${slug} --admin ${ada.username}`);
    const file = fileWith({ slug, name: 'Other', members: [member(ada, 'admin'), member(bob)] });
    expect(await json(`organizations import ${file}`)).toMatchObject({
      organizations: { created: 0, alreadyExisting: 1 },
      members: { added: 1, alreadyMembers: 1 },
    });
    expect((await json(`organizations get ${slug}`)).organization.name).toBe('Engines');
    expect(await membersOf(slug)).toHaveLength(2);
  });

  test('refuses faulty records and members, and imports all others', async () => {
    const disabled = await signUp(service);
    await service.auth.asOperator('ops').users.disable(disabled.username);
    const [slug, existing, last] = [newSlug(), newSlug(), newSlug()];
    await json(`organizations create Old --slug ${existing} --admin ${ada.username}`);
    const file = fileWith(
      'no json',
      '[]',
      { slug: 'X', name: 'Engines' },
      { slug, name: '' },
      { slug, name: 'Engines', members: {} },
      { slug, name: 'Engines', owner: 'ada' },
      { slug, name: 'Engines', members: [{ username: ada.username, role: 7 }] },
      { slug, name: 'Engines', members: [member(ada), { username: ada.username.toUpperCase() }] },
      { slug, name: 'Engines', createdAt: '2024-01-02' },
      { slug, name: 'Engines', createdAt: '2999-01-02T03:04:05Z' },
      { slug, name: 'Engines', members: [member(disabled), { username: 'no-such-user' }, member(bob)] },
      { slug: existing, name: 'Old', members: [member(ada, 'user')] },
      `{"slug":"${'x'.repeat(600_000)}"}`,
      { slug: last, name: 'Last' },
    );
    const { exitCode, report, refused, file: written } = await importing(file);
    expect(exitCode).toBe(3);
    expect(report).toEqual({
      dryRun: false,
      organizations: { created: 2, alreadyExisting: 1 },
      members: { added: 1, alreadyMembers: 0 },
      refused: { invalid_record: 11, account_disabled: 1, user_not_found: 1, role_differs: 1 },
    });
    expect(refused.map(({ line, reason }) => `${line} ${reason}`).sort()).toEqual(
      [
        ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((line) => `${line} invalid_record`),
        '11 account_disabled',
        '11 user_not_found',
        '12 role_differs',
        '13 invalid_record',
      ].sort(),
    );
    for (const { message } of refused) expect(message).toMatch(/\w/);
    expect(refused.find(({ line }) => line === 6)?.message).toBe('owner: this property is unknown');
    expect(refused.find(({ line }) => line === 8)?.message).toBe(
      'members[1].username: this username occurs twice',
    );
    expect(refused.find(({ line }) => line === 13)?.message).toBe('expected at most 512 KiB in a line');
    expect(statSync(written).mode & 0o777).toBe(0o600);
    expect(await membersOf(slug)).toEqual([`${bob.username} user`]);
    expect(await membersOf(existing)).toEqual([`${ada.username} admin`]);
    // An import accepts the refused members as records.
    const again = fileWith(...refused.filter(({ line }) => line === 11).map(({ record }) => record));
    await service.auth.asOperator('ops').users.enable(disabled.username);
    expect((await importing(again)).report).toMatchObject({
      members: { added: 1 },
      refused: { user_not_found: 1 },
    });
  });

  test('with --dry-run checks every record and changes nothing', async () => {
    const [slug, existing] = [newSlug(), newSlug()];
    await json(`organizations create Old --slug ${existing} --admin ${ada.username}`);
    await markEvents();
    const file = fileWith(
      { slug, name: 'New', members: [member(ada), { username: 'no-such-user' }] },
      { slug: existing, name: 'Old', members: [member(ada, 'admin'), member(bob)] },
      { slug: 'X', name: 'Bad' },
    );
    const { exitCode, report } = await importing(file, '--dry-run');
    expect([exitCode, report]).toEqual([
      3,
      {
        dryRun: true,
        organizations: { created: 1, alreadyExisting: 1 },
        members: { added: 2, alreadyMembers: 1 },
        refused: { user_not_found: 1, invalid_record: 1 },
      },
    ]);
    expect((await latchkey(`organizations get ${slug}`)).exitCode).toBe(3);
    expect(await membersOf(existing)).toEqual([`${ada.username} admin`]);
    expect(await eventCounts()).toEqual({});
  });

  test('finds members whose usernames are not in the canonical form', async () => {
    const slug = newSlug();
    const file = fileWith({
      slug,
      name: 'Engines',
      members: [{ username: ` ${ada.username.toUpperCase()}` }],
    });
    expect((await json(`organizations import ${file}`)).members.added).toBe(1);
    expect((await json(`organizations import ${file}`)).members.alreadyMembers).toBe(1);
    expect(await eventCounts()).toEqual({ 'member.add success': 1, 'organization.create success': 1 });
  });

  test('counts a user who joins during the import as an existing member', async () => {
    const slug = newSlug();
    await json(`organizations create Engines --slug ${slug}`);
    const file = fileWith({ slug, name: 'Engines', members: [member(ada)] });
    const join = async (transaction: TransactionSql) => {
      await transaction`update latchkey.users set version = version + 1 where id = ${userIdOf(ada)}`;
      await transaction`
        insert into latchkey.memberships (organization_id, user_id, role, joined_at)
        select id, ${userIdOf(ada)}, 'user', now() from latchkey.organizations where slug = ${slug}`;
    };
    const report = await callDuring(service.database.sql, join, () => json(`organizations import ${file}`));
    expect(report).toMatchObject({ members: { added: 0, alreadyMembers: 1 }, refused: {} });
  });

  test('refuses only the member whose role is not configured', async () => {
    const slug = newSlug();
    const file = fileWith({ slug, name: 'Engines', members: [member(ada, 'owner'), member(bob)] });
    const { report, refused } = await importing(file);
    expect(report).toMatchObject({ members: { added: 1 }, refused: { role_unconfigured: 1 } });
    expect(refused[0].record.members).toEqual([member(ada, 'owner')]);
    expect(await membersOf(slug)).toEqual([`${bob.username} user`]);
  });

  test('reports a different role even if the username is not in the canonical form', async () => {
    const [slug, name] = [newSlug(), 'Engines'];
    await json(`organizations create ${name} --slug ${slug} --admin ${ada.username}`);
    const file = fileWith({ slug, name, members: [{ username: ` ${ada.username.toUpperCase()}` }] });
    for (const flags of ['', '--dry-run'])
      expect((await importing(file, flags)).report.refused).toEqual({ role_differs: 1 });
  });

  test('with --dry-run counts a new organization once, even if its lines are not consecutive', async () => {
    const [slug, other] = [newSlug(), newSlug()];
    const file = fileWith(
      { slug, name: 'New', members: [member(ada)] },
      { slug: other, name: 'Other' },
      { slug, name: 'New', members: [member(ada), member(bob)] },
    );
    const counts = {
      organizations: { created: 2, alreadyExisting: 1 },
      members: { added: 2, alreadyMembers: 1 },
    };
    expect(await json(`organizations import ${file} --dry-run`)).toMatchObject(counts);
    expect(await json(`organizations import ${file}`)).toMatchObject(counts);
  });

  test('adds no members to an organization that a user created, unless --existing is given', async () => {
    const slug = newSlug();
    await json(`organizations create Engines --slug ${slug} --admin ${ada.username}`);
    await service.database.sql`
      update latchkey.organizations set created_by = ${userIdOf(ada)} where slug = ${slug}`;
    const file = fileWith({ slug, name: 'Engines', members: [member(bob)] });
    const { exitCode, report } = await importing(file);
    expect([exitCode, report.refused]).toEqual([3, { slug_taken: 1 }]);
    expect(await membersOf(slug)).toEqual([`${ada.username} admin`]);
    expect(await json(`organizations import ${file} --existing`)).toMatchObject({
      organizations: { alreadyExisting: 1 },
      members: { added: 1 },
    });
  });

  test('with --users-source adds only users who were imported from this source', async () => {
    const [slug, source] = [newSlug(), newSlug()];
    const [taken, imported] = [await signUp(service), newUsername()];
    await service.auth.asOperator('ops').users.import(
      [
        { username: taken.username, sourceId: '1' },
        { username: imported, sourceId: '2' },
      ],
      { source },
    );
    const file = fileWith({
      slug,
      name: 'Engines',
      members: [{ sourceId: '1', role: 'admin' }, { sourceId: '2' }],
    });
    for (const flags of ['--dry-run', '']) {
      const { report } = await importing(file, `--users-source ${source} ${flags}`);
      expect(report).toMatchObject({ members: { added: 1 }, refused: { user_not_imported: 1 } });
    }
    expect(await membersOf(slug)).toEqual([`${imported} user`]);
    expect((await importing(file, '--users-source other')).report.refused).toEqual({ user_not_imported: 2 });
    expect((await importing(file)).report.refused).toEqual({ invalid_record: 1 });
    const named = fileWith({ slug, name: 'Engines', members: [member(taken)] });
    expect((await importing(named, `--users-source ${source}`)).report.refused).toEqual({
      invalid_record: 1,
    });
  });

  test('replaces a file of refused records, but not the file to import, and reports a missing file', async () => {
    const slug = newSlug();
    const file = fileWith({ slug, name: 'Engines', members: [{ username: 'no-such-user' }] });
    const ended = await latchkey(`organizations import ${file} --refused ${file}`);
    expect([ended.exitCode, ended.stderr]).toEqual([2, expect.stringContaining('--refused')]);
    expect((await latchkey(`organizations get ${slug}`)).exitCode).toBe(3);
    const refused = fileWith('an earlier import');
    expect((await latchkey(`organizations import ${file} --refused ${refused}`)).exitCode).toBe(3);
    expect(JSON.parse(readFileSync(refused, 'utf8'))).toMatchObject({ reason: 'user_not_found' });
    const missing = await latchkey('organizations import /nowhere/at-all');
    expect([missing.exitCode, missing.stderr]).toEqual([5, expect.stringContaining('/nowhere/at-all')]);
    expectNoStack(missing);
  });

  test('prints no progress without a terminal', async () => {
    const file = fileWith({ slug: 'X', name: 'Bad' });
    const { stderr } = await latchkey(`organizations import ${file}`);
    expect(stderr).toBe('\nTo write the refused records to a file, add --refused=<file>.\n');
  });
});

test('`latchkey organizations export` writes records that an import into another database reads', async () => {
  const slug = newSlug();
  await json(`organizations create Exported --slug ${slug} --admin ${ada.username}`);
  const file = join(newFolder(), 'export.ndjson');
  const { exitCode, stderr } = await latchkey(`organizations export --output ${file}`);
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^Wrote \d+ records to /)]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const exported = readFileSync(file, 'utf8');
  expect((await latchkey('organizations export')).stdout).toBe(exported);
  const records = exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.find((record) => record.slug === slug)).toEqual({
    slug,
    name: 'Exported',
    createdAt: expect.any(String),
    members: [member(ada, 'admin')],
  });
  const other = await startTestService();
  for (const { username } of [ada, bob]) await signUp(other, { username });
  const known = new Set([ada.username, bob.username]);
  const ofKnown = records.filter(({ members }) =>
    members.every(({ username }: { username: string }) => known.has(username)),
  );
  const report = await jsonOn(() => other.database)(`organizations import ${fileWith(...ofKnown)}`);
  expect(report.organizations).toEqual({ created: ofKnown.length, alreadyExisting: 0 });
  const back = await commandsOn(() => other.database)('organizations export');
  expect(
    back.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(ofKnown);
  await other.close();
});

/** Runs an export. Calls `change` after the export has read the first page of organizations. Returns the records. */
async function exportDuring(change: (transaction: TransactionSql) => Promise<unknown>) {
  const { sql } = service.database;
  const [exported] = await sql.begin(async (transaction) => {
    // The export has read the organizations, and waits before it reads the members of the first one.
    await transaction`lock table latchkey.users in access exclusive mode`;
    const running = latchkey('organizations export');
    await eventually(async () => {
      const waiting = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%latchkey.memberships%'`;
      return waiting.length > 0;
    });
    await change(transaction);
    // Returns a list, because `begin` would wait for a returned promise, and the export ends only after the transaction.
    return [running];
  });
  return `${(await exported).stdout}`
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

test('an export contains the members of an organization whose slug changes during the export', async () => {
  const [first, slug] = [`a${newSlug()}`, `b${newSlug()}`];
  for (const one of [first, slug])
    await json(`organizations create Renamed --slug ${one} --admin ${ada.username}`);
  const records = await exportDuring(
    (sql) => sql`update latchkey.organizations set slug = ${newSlug()} where slug = ${slug}`,
  );
  expect(records.find((record) => record.slug === slug)?.members).toEqual([member(ada, 'admin')]);
});

test('an export contains each organization once, even if slugs change between two pages', async () => {
  const prefix = newSlug();
  await service.database.sql`
    insert into latchkey.organizations (id, name, slug, created_at)
    select lpad(to_hex(n), 32, '0')::uuid, ${prefix}, ${prefix} || lpad(n::text, 3, '0'), now()
    from generate_series(1, 202) as n`;
  const rename = (sql: TransactionSql, from: string, to: string) =>
    sql`update latchkey.organizations set slug = ${to} where slug = ${from}`;
  const records = await exportDuring(async (sql) => {
    await rename(sql, `${prefix}202`, `a-${prefix}`);
    await rename(sql, `${prefix}001`, `z-${prefix}`);
  });
  const slugs = records.filter(({ name }) => name === prefix).map(({ slug }) => slug);
  expect(slugs).toHaveLength(202);
  expect(slugs).toEqual(expect.arrayContaining([`${prefix}001`, `${prefix}201`, `a-${prefix}`]));
});

test('an export splits a large organization into several records, which an import joins again', async () => {
  const slug = newSlug();
  const { organization } = await json(`organizations create Crowd --slug ${slug}`);
  await service.database.sql.unsafe(`
    set session_replication_role = replica;
    with added as (
      insert into latchkey.users (id, username, skeleton, user_handle, created_at)
      select gen_random_uuid(), '${slug}-' || lpad(n::text, 4, '0'), '${slug}' || n, '${slug}-' || n, now()
      from generate_series(1, 2500) as n
      returning id
    )
    insert into latchkey.memberships (organization_id, user_id, role, joined_at)
    select '${organization.id}', id, 'user', now() from added;
    reset session_replication_role;`);
  const { stdout } = await latchkey('organizations export');
  const records = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((one) => one.slug === slug);
  expect(records.map(({ members }) => members.length)).toEqual([1000, 1000, 500]);
  await json(`organizations delete ${slug} --yes`);
  const report = await json(`organizations import ${fileWith(...records)}`);
  expect(report).toMatchObject({
    organizations: { created: 1, alreadyExisting: 0 },
    members: { added: 2500, alreadyMembers: 0 },
    refused: {},
  });
});

test('an import that is killed at any point can continue, and does nothing twice', async () => {
  const count = 40;
  const people: string[] = [];
  for (let index = 0; index < 5; index += 1) people.push((await signUp(service)).username);
  const slugs = Array.from({ length: count }, newSlug);
  const file = fileWith(
    ...slugs.map((slug) => ({
      slug,
      name: slug,
      members: people.map((username) => ({ username, role: 'user' })),
    })),
  );
  await markEvents();
  const rowsOf = async () => {
    const [row] = await service.database.sql<{ organizations: number; members: number }[]>`
      select (select count(*) from latchkey.organizations where slug = any(${slugs}))::int as organizations,
        (select count(*) from latchkey.memberships
          join latchkey.organizations on organizations.id = memberships.organization_id
          where slug = any(${slugs}))::int as members`;
    return row ?? { organizations: 0, members: 0 };
  };
  let kills = 0;
  for (const share of [0.1, 0.5, 0.8]) {
    const wanted = Math.round(count * people.length * share) + ((randomBytes(1)[0] ?? 0) % 10);
    const running = startCommand(['organizations', 'import', file], {
      env: { DATABASE_URL: service.database.url },
    });
    let ended = false;
    void running.ended.then(() => {
      ended = true;
    });
    await eventually(async () => ended || (await rowsOf()).members >= wanted);
    running.process.kill('SIGKILL');
    if ((await running.ended).signal === 'SIGKILL') kills += 1;
    // PostgreSQL can still run the last statements of the killed process.
    await eventually(async () => {
      const [row] = await service.database.sql`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and application_name like 'latchkey%'`;
      return row?.count === 0;
    });
  }
  expect(kills).toBeGreaterThan(0);
  const { members } = await rowsOf();
  expect(await json(`organizations import ${file}`)).toMatchObject({
    members: { added: count * people.length - members, alreadyMembers: members },
    refused: {},
  });
  expect(await rowsOf()).toEqual({ organizations: count, members: count * people.length });
  expect(await eventCounts()).toEqual({
    'member.add success': count * people.length,
    'organization.create success': count,
  });
});
