import { existsSync, readFileSync } from 'node:fs';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonOn, runCommand } from '../cli/commands/support/command.ts';
import { signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { readGuide } from './support/guide.ts';
import { runStatements } from './support/run-blocks.ts';

const deployment = readGuide('docs/operations/deployment.md');
const roles = readGuide('docs/operations/database-role.md');

let database: TestDatabase;
let service: ServiceOn;
const suffix = `${process.pid}`;
const owner = `latchkey_owner_${suffix}`;
const serviceRole = `latchkey_service_${suffix}`;
const renamed = (text: string) =>
  text
    .replaceAll('latchkey_owner', owner)
    .replaceAll('latchkey_service', serviceRole)
    .replace('on database app', `on database "${new URL(database.url).pathname.slice(1)}"`);
const urlAs = (role: string, password: string) => {
  const url = new URL(database.url);
  url.username = role;
  url.password = password;
  return url.href;
};

beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
});
afterAll(async () => {
  await service?.close();
  await database.sql.unsafe(
    `drop owned by ${serviceRole}, ${owner} cascade; drop role ${serviceRole}, ${owner}`,
  );
  await database.drop();
});

describe('docs/operations/database-role.md', () => {
  test('creates two roles, with which the service works and cannot change the audit log', async () => {
    await database.sql.unsafe(renamed(roles.block('create role latchkey_owner')));
    const env = { MIGRATION_DATABASE_URL: urlAs(owner, 'owner-password'), DATABASE_URL: '' };
    const [, words = ''] = /^latchkey (.+)$/m.exec(renamed(roles.block('latchkey migrate'))) ?? [];
    for (const _ of ['the first time', 'again']) expect((await runCommand(words, { env })).exitCode).toBe(0);
    service = await startServiceOn(urlAs(serviceRole, 'service-password'));
    await signUp(service, { username: 'ada' });
    const client = postgres(urlAs(serviceRole, 'service-password'), { max: 1 });
    const attempts = [
      'delete from latchkey.audit_events',
      'update latchkey.audit_events set ip = null',
      'truncate latchkey.audit_events',
      'alter table latchkey.users add column x text',
      'drop trigger audit_events_append_only on latchkey.audit_events',
      `set role ${owner}`,
      "select latchkey.erase_user(gen_random_uuid(), 'operator', null, 0)",
    ];
    for (const attempt of attempts)
      expect([attempt, await client.unsafe(attempt).catch(({ code }) => code)]).toEqual([attempt, '42501']);
    await client.end();
  });
});

describe('docs/operations/deployment.md', () => {
  const json = jsonOn(() => ({ url: urlAs(serviceRole, 'service-password') }));

  test('creates the first superadmin with a link, once', async () => {
    const [, words = ''] = /^latchkey (.+)$/m.exec(deployment.block('latchkey bootstrap')) ?? [];
    const { user, link } = await json(words.replace('ada', 'grace'));
    expect(user).toMatchObject({ username: 'grace', role: 'superadmin' });
    expect(link.url).toContain('/recover#token=');
  });

  test('creates another link in code while the account has no way to sign in', async () => {
    const printed: string[] = [];
    await runStatements(deployment.block('auth.asOperator').replace("'ada' }", "'grace' }"), {
      auth: service.auth,
      console: { log: (line: string) => printed.push(line) },
    });
    expect(printed).toEqual([expect.stringContaining('/recover#token=')]);
  });

  test('names scripts, variables and files that exist', () => {
    const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
    const used = [...deployment.block('npm ci').matchAll(/^npm run (\S+)$/gm)].map(([, name]) => `${name}`);
    expect(used).toEqual(['build', 'start:server']);
    for (const name of used) expect(scripts).toHaveProperty([name]);
    const names = [...deployment.block('SERVER_ADDR=').matchAll(/^(\w+)=/gm)].map(([, name]) => `${name}`);
    const known = [
      'src/core/config.ts',
      'examples/server/settings.ts',
      'examples/server/metrics/setting.ts',
      '.env.example',
    ]
      .filter((file) => existsSync(file))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });
});

describe.each([
  'docs/operations/sizing.md',
  'docs/operations/deployment.md',
  'docs/operations/database-role.md',
  'docs/security/threat-model.md',
  'docs/concepts/sign-in.md',
  'docs/concepts/one-statement.md',
  'docs/concepts/sealed-challenges.md',
  'docs/concepts/session-cache.md',
  'docs/concepts/recovery.md',
])('%s', (path) => {
  const text = readFileSync(path, 'utf8');

  test('names only measurements, test files and source files that exist', () => {
    for (const [, name] of text.matchAll(/npm run bench -- ([\w-]+)/g))
      expect([name, existsSync(`bench/${name}.ts`)]).toEqual([name, true]);
    const files = [...text.matchAll(/`((?:src|tests|cli)\/[\w./-]+?)\/?`/g)].map(([, file]) => `${file}`);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const topics = [...text.matchAll(/npm test -- (tests\/[\w/-]+)/g)].map(([, file]) => `${file}`);
    expect(topics.filter((file) => !existsSync(file) && !existsSync(`${file}.test.ts`))).toEqual([]);
  });
});

test('the drawing of a sign-in has a text alternative, colors for both themes, and less than 30 kB', () => {
  const drawing = readFileSync('docs/concepts/sign-in.svg', 'utf8');
  expect(drawing.length).toBeLessThan(30_000);
  expect(drawing).toMatch(/<title id="title">.+<\/title>\s*<desc id="description">.{200,}<\/desc>/);
  expect(drawing).toContain('prefers-color-scheme:dark');
  expect(readFileSync('docs/concepts/sign-in.md', 'utf8')).toMatch(/!\[.{100,}\]\(sign-in\.svg\)/);
});
