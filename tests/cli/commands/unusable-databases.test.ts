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
  'users end-all-sessions': '--yes',
  'users delete': 'ada --yes',
  'users erase': 'ada --yes',
  'users cancel-recovery-link': 'ada',
  'users impersonate': 'ada --reason help',
  'users create': 'ada',
  'users import': '/dev/null',
  'users export': 'ada',
  'organizations invite': 'engines',
  'organizations list-invitations': 'engines',
  'organizations revoke-invitation': 'engines 0199aa00-0000-7000-8000-000000000000 --yes',
  'organizations add-member': 'engines ada --yes',
  'organizations create': 'Engines',
  'organizations get': 'engines',
  'organizations update': 'engines --name Engines',
  'organizations delete': 'engines --yes',
  'organizations members': 'engines',
  'organizations change-role': 'engines ada admin --yes',
  'organizations remove-member': 'engines ada --yes',
  'organizations import': '/dev/null',
  'audit proof': '0199aa00-0000-7000-8000-000000000000',
  'audit new-log': '--reason restored --yes',
  'webhooks create': 'siem https://siem.example.com',
  'webhooks update': 'siem --events all',
  'webhooks rotate-secret': 'siem --yes',
  'webhooks pause': 'siem',
  'webhooks resume': 'siem',
  'webhooks test': 'siem',
  'webhooks delete': 'siem --yes',
};

/** Commands that report database errors themselves, need no database, or migrate the database. */
const others = ['migrate', 'migrate status', 'doctor', 'dev', 'secret', 'completion', 'audit check-proof'];
const onTheService = catalogue.map(({ name }) => name).filter((name) => !others.includes(name));
/** Some commands of `onTheService`. A sample is enough, because all commands open the service in the same way. */
const sample = onTheService.filter((name) =>
  /^(bootstrap|users list|invitations create|audit tail)$/.test(name),
);

interface Failed extends Ended {
  line: string;
}

async function runAll(url: string, names: readonly string[], flag = ''): Promise<Failed[]> {
  return fourAtOnce(names, async (name) => {
    const line = `${name} ${words[name] ?? ''} ${flag}`;
    return { line, ...(await commandsOn(() => ({ url }))(line, credentials)) };
  });
}

const outcomes = (all: readonly Failed[]) =>
  all.map(({ line, exitCode, stdout }) => ({ line, exitCode, stdout }));

function expectAllFail(all: readonly Failed[], message: RegExp): void {
  expect(outcomes(all)).toEqual(all.map(({ line }) => ({ line, exitCode: 4, stdout: '' })));
  for (const ended of all) {
    expect(ended.stderr).toMatch(message);
    expectNoStack(ended);
  }
}

function expectAllFailWithJson(all: readonly Failed[], error: object): void {
  expect(outcomes(all)).toEqual(all.map(({ line }) => ({ line, exitCode: 4, stdout: '' })));
  for (const { stderr } of all) expect(JSON.parse(stderr)).toEqual({ error });
}

describe('commands that use the service exit with 4 and print the reason and a next step', () => {
  test('if the database is unreachable', async () => {
    const all = await runAll(nowhere, [...sample, 'migrate', 'migrate status']);
    expect(all.length).toBe(6);
    expectAllFail(
      all,
      /^error: The database cannot be used: 127\.0\.0\.1:\d+ refuses connections\.\nStart PostgreSQL, or correct the host and the port in DATABASE_URL\.\n$/,
    );
    for (const { stderr } of all) expect(stderr).not.toContain('open-sesame');
  });

  test('if the database is unreachable and --json is given', async () => {
    expect(onTheService.length).toBeGreaterThan(12);
    expectAllFailWithJson(await runAll(nowhere, [...onTheService, 'migrate', 'migrate status'], '--json'), {
      code: 'unavailable',
      message: expect.stringMatching(/^The database cannot be used: 127\.0\.0\.1:\d+ refuses connections\.$/),
      next: 'Start PostgreSQL, or correct the host and the port in DATABASE_URL.',
    });
  });

  test('if the database is not migrated', async () => {
    const message = /^error: The database schema is not up to date\.\nRun `latchkey migrate`\.\n$/;
    expectAllFail(await runAll(empty.url, sample), message);
  });

  test('if the database is not migrated and --json is given', async () => {
    expectAllFailWithJson(await runAll(empty.url, sample, '--json'), {
      code: 'schema_outdated',
      message: 'The database schema is not up to date.',
      next: 'Run `latchkey migrate`.',
    });
    expect(await empty.sql`select from pg_namespace where nspname = 'latchkey'`).toEqual([]);
  });

  test('if a newer version of Latchkey has migrated the database', async () => {
    const message =
      /^error: A newer version of Latchkey has migrated the database to schema version 9999, .+\. Upgrade this package/;
    expectAllFail(await runAll(newer.url, [...sample, 'migrate']), message);
  });

  test('if a newer version of Latchkey has migrated the database and --json is given', async () => {
    expectAllFailWithJson(await runAll(newer.url, [...sample, 'migrate'], '--json'), {
      code: 'schema_newer',
      message: expect.stringContaining('Upgrade this package'),
    });
  });
});

test('`latchkey dev` exits with 4 and prints no stack trace if the database is unusable', async () => {
  for (const url of [nowhere, newer.url]) {
    const words = ['dev', '--port', `${await freePort()}`];
    const ended = await startCommand(words, { env: { DATABASE_URL: url } }).ended;
    expect(ended.exitCode).toBe(4);
    expect(ended.stderr).toMatch(/refuses connections|newer version/);
    expect(ended.stderr).not.toContain('open-sesame');
    expectNoStack(ended);
  }
});

test('a command with an invalid DATABASE_URL exits with 2 and names the variable', async () => {
  const ended = await commandsOn(() => ({ url: 'mysql://ada:open-sesame@db/shop' }))('users list');
  expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toMatch(/DATABASE_URL: given .+; expected postgresql:\/\//);
  expect(ended.stderr).not.toContain('open-sesame');
  expectNoStack(ended);
});
