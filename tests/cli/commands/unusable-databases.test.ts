import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../../cli/catalogue.ts';
import { freePort } from '../../support/example-server.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, type Ended, expectNoStack, fourAtOnce, startCommand } from './support/command.ts';
import { credentials } from './support/superadmin.ts';

let empty: TestDatabase;
let newer: TestDatabase;
let nowhere: string;
beforeAll(async () => {
  empty = await createTestDatabase({ empty: true });
  newer = await createTestDatabase();
  await newer.sql`insert into latchkey.migrations (version, name, checksum) values (9999, 'later', 'other')`;
  nowhere = `postgresql://ada:open-sesame@127.0.0.1:${await freePort()}/shop`;
});
afterAll(() => Promise.all([empty.drop(), newer.drop()]));

const words: Record<string, string> = {
  'invitations revoke': '0199aa00-0000-7000-8000-000000000000 --yes',
  'users get': 'ada',
  'users change-role': 'ada admin --yes',
  'users disable': 'ada --yes',
  'users enable': 'ada',
  'users create-recovery-link': 'ada',
  'users end-sessions': 'ada --yes',
  'users delete': 'ada --yes',
  'users cancel-recovery-link': 'ada',
  'organizations invite': 'engines',
  'organizations list-invitations': 'engines',
  'organizations revoke-invitation': 'engines 0199aa00-0000-7000-8000-000000000000 --yes',
  'organizations add-member': 'engines ada --yes',
};

/** Commands that say themselves what is wrong with the database, or need none, or make it usable. */
const others = ['migrate', 'migrate status', 'doctor', 'dev', 'secret', 'completion'];
const onTheService = catalogue.map(({ name }) => name).filter((name) => !others.includes(name));
/** The way there is the same for all of them, and the words are. */
const some = onTheService.filter((name) =>
  /^(bootstrap|users list|invitations create|audit tail)$/.test(name),
);

interface Timed extends Ended {
  line: string;
  seconds: number;
}

async function runAll(url: string, names: readonly string[], flag = ''): Promise<Timed[]> {
  return fourAtOnce(names, async (name) => {
    const line = `${name} ${words[name] ?? ''} ${flag}`;
    const began = performance.now();
    const ended = await commandsOn(() => ({ url }))(line, credentials);
    return { line, seconds: (performance.now() - began) / 1000, ...ended };
  });
}

const fates = (all: readonly Timed[]) =>
  all.map(({ line, exitCode, stdout, seconds }) => ({ line, exitCode, stdout, inTime: seconds < 10 }));

function expectAllRefused(all: readonly Timed[], message: RegExp): void {
  expect(fates(all)).toEqual(all.map(({ line }) => ({ line, exitCode: 4, stdout: '', inTime: true })));
  for (const ended of all) {
    expect(ended.stderr).toMatch(message);
    expectNoStack(ended);
  }
}

function expectAllRefusedForPrograms(all: readonly Timed[], error: object): void {
  expect(fates(all)).toEqual(all.map(({ line }) => ({ line, exitCode: 4, stdout: '', inTime: true })));
  for (const { stderr } of all) expect(JSON.parse(stderr)).toEqual({ error });
}

describe('every command that works on the service ends with exit code 4, says why and what to do,', () => {
  test('where the database cannot be reached', async () => {
    const all = await runAll(nowhere, [...some, 'migrate', 'migrate status']);
    expect(all.length).toBe(6);
    expectAllRefused(
      all,
      /^error: The database cannot be used: .*ECONNREFUSED.*\nFind out why with `latchkey doctor`\.\n$/,
    );
    for (const { stderr } of all) expect(stderr).not.toContain('open-sesame');
  }, 120_000);

  test('where the database cannot be reached, for programs', async () => {
    expect(onTheService.length).toBeGreaterThan(12);
    expectAllRefusedForPrograms(
      await runAll(nowhere, [...onTheService, 'migrate', 'migrate status'], '--json'),
      {
        code: 'unavailable',
        message: expect.stringContaining('ECONNREFUSED'),
        next: 'Find out why with `latchkey doctor`.',
      },
    );
  }, 120_000);

  test('where the database is not migrated', async () => {
    const message = /^error: The database schema is not up to date\.\nRun `latchkey migrate`\.\n$/;
    expectAllRefused(await runAll(empty.url, some), message);
  }, 120_000);

  test('where the database is not migrated, for programs', async () => {
    expectAllRefusedForPrograms(await runAll(empty.url, some, '--json'), {
      code: 'schema_outdated',
      message: 'The database schema is not up to date.',
      next: 'Run `latchkey migrate`.',
    });
    expect(await empty.sql`select from pg_namespace where nspname = 'latchkey'`).toEqual([]);
  }, 120_000);

  test('where the database was migrated by a newer version', async () => {
    const message = /^error: The database was migrated by a newer version of Latchkey\. Upgrade this package/;
    expectAllRefused(await runAll(newer.url, [...some, 'migrate']), message);
  }, 120_000);

  test('where the database was migrated by a newer version, for programs', async () => {
    expectAllRefusedForPrograms(await runAll(newer.url, [...some, 'migrate'], '--json'), {
      code: 'schema_newer',
      message: expect.stringContaining('Upgrade this package'),
    });
  }, 120_000);
});

test('dev does not start on a database that it cannot use, with exit code 4 and without a stack', async () => {
  for (const url of [nowhere, newer.url]) {
    const words = ['dev', '--port', `${await freePort()}`];
    const ended = await startCommand(words, { env: { DATABASE_URL: url } }).ended;
    expect(ended.exitCode).toBe(4);
    expect(ended.stderr).toMatch(/cannot be reached|newer version/);
    expect(ended.stderr).not.toContain('open-sesame');
    expectNoStack(ended);
  }
});

test('without a usable DATABASE_URL it is exit code 2, and the setting is named', async () => {
  const ended = await commandsOn(() => ({ url: 'mysql://ada:open-sesame@db/shop' }))('users list');
  expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toMatch(/DATABASE_URL: given .+; expected postgresql:\/\//);
  expect(ended.stderr).not.toContain('open-sesame');
  expectNoStack(ended);
});
