import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { insertEvent, untilSequenced } from '../../features/support/feed.ts';
import { type Person, signUp, userIdOf } from '../../support/person.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import {
  commandsOn,
  expectNoStack,
  jsonOn,
  startCommand,
  temporaryFolders,
  untilWritten,
} from './support/command.ts';
import { operator } from './support/superadmin.ts';

let database: TestDatabase;
let service: ServiceOn;
let ada: Person;
const latchkey = commandsOn(() => database);
const json = jsonOn(() => database);
const newFolder = temporaryFolders();
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url, { auditSequencer: true });
  ada = await signUp(service, { username: 'ada' });
  await signUp(service, { username: 'grace' });
  await service.auth.asOperator('ops').users.disable('grace');
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const count = async () => Number((await database.sql`select count(*) from latchkey.audit_events`)[0]?.count);
const eventNames = (events: { event: string }[]) => events.map(({ event }) => event);

describe('`latchkey audit tail`', () => {
  test('prints one line per event, with actor and target, newest last', async () => {
    const { exitCode, stdout, stderr } = await latchkey('audit tail');
    expect([exitCode, stderr]).toEqual([0, '']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d [\d:.]+ {2}ok +account\.signup +ada → ada {2}127\.0\.0\.1/);
    expect(lines[2]).toMatch(/ok +user\.disable +ops → grace/);
  });

  test('with --json prints all properties of the events as one JSON document', async () => {
    const { events } = await json('audit tail');
    expect(eventNames(events)).toEqual(['account.signup', 'account.signup', 'user.disable']);
    expect(events[2]).toMatchObject({
      id: expect.any(String),
      at: expect.stringMatching(/Z$/),
      outcome: 'success',
      actor: { type: 'operator', id: null, name: 'ops' },
      target: { type: 'user', name: 'grace' },
      details: expect.any(Object),
    });
  });

  test.each([
    ['--limit 1', ['user.disable']],
    ['--event account.', ['account.signup', 'account.signup']],
    ['--event user.disable', ['user.disable']],
    ['--actor ada', ['account.signup']],
    ['--target grace', ['account.signup', 'user.disable']],
    ['--outcome failure', []],
    ['--from 2999-01-01T00:00:00Z', []],
  ])('filters by %s', async (flags, names) => {
    expect(eventNames((await json(`audit tail ${flags}`)).events)).toEqual(names);
  });

  test('accepts an actor id in uppercase letters', async () => {
    const id = userIdOf(ada).toUpperCase();
    expect(eventNames((await json(`audit tail --actor ${id}`)).events)).toEqual(['account.signup']);
  });

  test.each([
    ['--limit 0', /^error: --limit: expected a whole number from 1 to 200, not 0/],
    [
      '--event nothing.happens',
      /^error: --event: expected an event \(passkey\.login\) or .+, not "nothing\.happens"/,
    ],
    [
      '--outcome maybe',
      /^error: Unknown value for flag `--outcome`: `maybe`\. Value must be one of: \[`success`, `failure`\]/,
    ],
    ['--from yesterday', /^error: --from: expected a time such as/],
    ['--organization ours', /^error: --organization: expected the ID of an organization, not "ours"/],
  ])('rejects %s with exit code 2', async (flags, message) => {
    const ended = await latchkey(`audit tail ${flags}`);
    expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(message);
    expectNoStack(ended);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'with --follow prints new events until it receives %s, and then exits with 0',
    async (signal) => {
      const running = startCommand(['audit', 'tail', '--follow', '--limit', '1'], {
        env: { DATABASE_URL: database.url },
      });
      await untilWritten(running, '\n');
      const name = `watched-${signal}`.toLowerCase();
      // Waits for each event, so that a later read could repeat an earlier event.
      await service.auth.asOperator(name).users.enable('grace');
      await untilWritten(running, `user.enable               ${name} → grace`);
      await service.auth.asOperator(name).users.disable('grace');
      await untilWritten(running, `user.disable              ${name} → grace`);
      running.process.kill(signal);
      expect(await running.ended).toMatchObject({ exitCode: 0, signal: null, stderr: '' });
      const lines = running.stdout().trimEnd().split('\n');
      const events = lines.map((line) => /ok +(\S+) +(\S+) → grace/.exec(line)?.slice(1));
      expect(events.slice(1)).toEqual([
        ['user.enable', name],
        ['user.disable', name],
      ]);
    },
  );

  test('with --follow prints each of 1,000 events that were recorded at once, and one that was committed late', async () => {
    const running = startCommand(
      ['audit', 'tail', '-f', '--json', '--actor', userIdOf(ada), '--limit', '1'],
      {
        env: { DATABASE_URL: database.url },
      },
    );
    await untilWritten(running, '\n');
    const insert = (sql: typeof database.sql, name: string, count: number, actorId: string) => sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_id, details, request_id)
      select gen_random_uuid(), latchkey.clock(), 'session.logout', 'success', 'user', ${actorId}, '{}',
        ${`${name}-`} || number
      from generate_series(1, ${count}::integer) as number`;
    const late = postgres(database.url, { max: 1, onnotice: () => {} });
    const connection = await late.reserve();
    await connection`begin`;
    await insert(connection as never, 'late', 1, userIdOf(ada));
    await insert(database.sql, 'other', 300, crypto.randomUUID());
    await insert(database.sql, 'early', 1000, userIdOf(ada));
    await untilWritten(running, '"early-1000"');
    await connection`commit`;
    await untilWritten(running, '"late-1"');
    connection.release();
    await late.end();
    running.process.kill('SIGINT');
    const { stdout } = await running.ended;
    const ids: string[] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).requestId)
      .slice(1);
    expect(ids).toHaveLength(1001);
    expect(new Set(ids).size).toBe(1001);
    expect(ids.at(-1)).toBe('late-1');
    expect(ids.filter((id) => id.startsWith('other'))).toEqual([]);
  });

  test('with --follow --json prints one line of JSON per event', async () => {
    const running = startCommand(['audit', 'tail', '-f', '--json', '--event', 'invitation.'], {
      env: { DATABASE_URL: database.url },
    });
    for (let time = 0; time < 2; time++) {
      const { invitation } = await service.auth.asOperator('ops').invitations.create();
      await untilWritten(running, invitation.id);
    }
    running.process.kill('SIGINT');
    const { exitCode, stdout } = await running.ended;
    expect(exitCode).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).event),
    ).toEqual(['invitation.create', 'invitation.create']);
  });
});

describe('`latchkey audit tail --follow`, while events wait for their positions,', () => {
  let own: TestDatabase;
  let recording: ServiceOn;
  beforeEach(async () => {
    own = await createTestDatabase();
    recording = await startServiceOn(own.url, { auditSequencer: false });
    await create('first');
  });
  afterEach(async () => {
    await recording.close();
    await own.drop();
  });

  const create = (username: string) => recording.auth.asOperator('ops').users.create({ username });

  /** Returns the names in the events that the command prints, in order. */
  async function printedNames(whileItRuns: () => Promise<unknown> = async () => {}): Promise<string[]> {
    const running = startCommand(['audit', 'tail', '-f', '--json'], { env: { DATABASE_URL: own.url } });
    await untilWritten(running, '"first"');
    await whileItRuns();
    const sequencing = await startServiceOn(own.url, { auditSequencer: true });
    await untilSequenced(own);
    await create('last');
    await untilWritten(running, '"last"');
    running.process.kill('SIGINT');
    const { stdout } = await running.ended;
    await sequencing.close();
    return [...stdout.matchAll(/"(first|old|last)"/g)].map(([, name]) => `${name}`);
  }

  test('prints each event only once', async () => {
    expect(await printedNames()).toEqual(['first', 'last']);
  });

  test('prints no event that was recorded more than an hour before the command started', async () => {
    expect(await printedNames(() => insertEvent(own.sql, 'old', '61 minutes'))).toEqual(['first', 'last']);
  });
});

describe('`latchkey audit export`', () => {
  test('writes the whole log as NDJSON to stdout, oldest first, and records the export', async () => {
    const { exitCode, stdout, stderr } = await latchkey('audit export');
    expect([exitCode, stderr]).toEqual([0, '']);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ event: 'account.signup', target: { id: userIdOf(ada) } });
    const [row] = await database.sql`
      select actor_name from latchkey.audit_events where event = 'audit.export' order by at desc limit 1`;
    expect(row?.actor_name).toBe(operator);
    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(events.length).toBeGreaterThanOrEqual((await count()) - 1);
  });

  test('writes to a new file that only its owner can read, and prints the number of events', async () => {
    const file = join(newFolder(), 'log.ndjson');
    const { exitCode, stdout, stderr } = await latchkey(`audit export --event account. --output ${file}`);
    expect([exitCode, stdout, stderr]).toEqual([0, '', `Wrote 2 events to ${file}.\n`]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const events = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(eventNames(events)).toEqual(['account.signup', 'account.signup']);
  });
});

test('the commands show how many refusals an event stands for', async () => {
  await database.sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, ip, details, count)
    values (gen_random_uuid(), '2004-01-01Z', 'password.login', 'failure', 'anonymous', '192.0.2.7', '{}', 989)`;
  const filter = '--to 2005-01-01T00:00:00Z';
  expect((await latchkey(`audit tail ${filter}`)).stdout).toMatch(
    /failed {2}password\.login +anonymous {2}192\.0\.2\.7 {2}989 times\n$/,
  );
  expect((await json(`audit tail ${filter}`)).events).toMatchObject([{ count: 989 }]);
  expect(JSON.parse((await latchkey(`audit export ${filter}`)).stdout)).toMatchObject({ count: 989 });
});
