import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditEventNames } from 'latchkey';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Ended, startCommand, temporaryFolders } from '../cli/commands/support/command.ts';
import {
  logInByPassword,
  password,
  signUpWithOnlyPassword,
  signUpWithPassword,
} from '../features/support/passwords.ts';
import { startReceiver } from '../features/support/webhooks.ts';
import { eventually } from '../support/eventually.ts';
import { logIn, newAuthenticator, signUp, signUpStart } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { origin } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';

const path = 'docs/operations/runbooks.md';
const text = readFileSync(path, 'utf8');
const guide = readGuide(path);
const newFolder = temporaryFolders();

let database: TestDatabase;
let folder: string;
const services: ServiceOn[] = [];
beforeEach(async () => {
  database = await createTestDatabase();
  folder = newFolder();
});
afterEach(async () => {
  for (const service of services.splice(0)) await service.close();
  await database.drop();
});

async function start(options: Parameters<typeof startServiceOn>[1] = {}): Promise<ServiceOn> {
  const service = await startServiceOn(database.url, { bcryptCost: 4, ...options });
  services.push(service);
  return service;
}

/** Commands of other programs. */
const external = [/^curl -i https:\/\/example\.com\/readyz$/, /^patronictl -c \S+ list$/];

/**
 * Runs the `latchkey` commands of the block that contains the text. A command can begin with a variable, and can have
 * arguments in quotes.
 */
async function run(part: string, env: Record<string, string> = {}): Promise<Ended[]> {
  const ended: Ended[] = [];
  for (const line of guide.block(part).trim().split('\n')) {
    if (external.some((pattern) => pattern.test(line))) continue;
    const [, name, value = '', command] = /^(?:(\w+)=(\S+) )?latchkey (.*)$/.exec(line) ?? [];
    if (command === undefined)
      throw new Error(`"${line}" is neither a command of latchkey nor a known program`);
    const words = [...command.matchAll(/(?:[^\s"]|"[^"]*")+/g)].map(([word]) => word.replaceAll('"', ''));
    const variable = name === undefined ? {} : { [name]: value };
    const surroundings = { cwd: folder, env: { DATABASE_URL: database.url, ...env, ...variable } };
    ended.push(await startCommand(words, surroundings).ended);
  }
  return ended;
}
const codesOf = (ended: readonly Ended[]) => ended.map(({ exitCode }) => exitCode);
const outputOf = (ended: readonly Ended[]) => ended.map(({ stdout }) => stdout).join('\n');

const caughtUp = (service: ServiceOn) =>
  eventually(async () => (await service.auth.asOperator('ops').audit.verify()).waiting === 0);

test('the first commands of an incident work, and the audit log names a refused sign-in', async () => {
  const service = await start();
  const ada = await signUp(service, { username: 'ada' });
  await logIn(service.browser(), ada.authenticator, {
    tamper: { clientData: { origin: 'https://example.org' } },
  });
  const ended = await run('audit tail --outcome failure --limit 50');
  // The doctor reports that no superadmin exists.
  expect(codesOf(ended)).toEqual([2, 0]);
  expect(ended[0]?.stdout).toContain('→ latchkey bootstrap');
  expect(outputOf(ended)).toMatch(/failed +passkey\.login .*reason=origin_mismatch/);
});

test('two processes with different secrets cause the reason that the runbook names', async () => {
  const service = await start();
  const other = await start({ secret: 'Zq3vN8xK1mR7tB5wY0cF4hL9sD2gJ6pAeUoIiTqVwErX' });
  const ada = await signUp(service, { username: 'ada' });
  const browser = service.browser();
  const { options } = (await browser.post('/auth/passkey/login/start', {})).body;
  const credential = await ada.authenticator.get(options);
  const refused = await other.browser(browser.cookies).post('/auth/passkey/login/verify', { credential });
  expect([refused.status, refused.body.code]).toEqual([401, 'authentication_failed']);
  const ended = await run('audit tail --event passkey.login --outcome failure');
  expect(outputOf(ended)).toContain('reason=challenge_unknown');
});

test('a refused sign-up appears with its reason', async () => {
  const service = await start();
  const browser = service.browser();
  const options = await signUpStart(browser, 'ada');
  const credential = await newAuthenticator().create(options, {
    clientData: { origin: 'https://example.org' },
  });
  const { status, body } = await browser.post('/auth/passkey/register/verify', { credential });
  expect([status, body.code]).toEqual([400, 'registration_failed']);
  const ended = await run('audit tail --event account.signup');
  expect(outputOf(ended)).toContain('reason=origin_mismatch');
});

test('the queries for a full disk return the sizes of tables and the replication slots, and old events can be deleted', async () => {
  const service = await start();
  await service.auth.asOperator('ops').users.create({ username: 'ada' });
  await database.sql`
    insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, details)
    select gen_random_uuid(), now() - interval '100 days', 'passkey.login', 'success', 'user', 'ada', '{}'
    from generate_series(1, 3)`;
  await sequence(database.sql);
  const tables = await database.sql.unsafe<{ relname: string; size: string }[]>(
    guide.block('select relname'),
  );
  expect(tables).toHaveLength(5);
  for (const { size } of tables) expect(size).toMatch(/^\d+ (bytes|kB|MB)$/);
  expect(await database.sql.unsafe(guide.block('pg_replication_slots'))).toEqual([]);
  const forget = guide.block('forget_audit_events');
  expect(await database.sql.unsafe(forget)).toMatchObject([{ forget_audit_events: 3 }]);
  expect(await database.sql.unsafe(forget)).toMatchObject([{ forget_audit_events: 0 }]);
  const [event] = await database.sql`select event from latchkey.audit_events where event = 'audit.prune'`;
  expect(event?.event).toBe('audit.prune');
});

describe('a leaked JWT_SECRET', () => {
  test('can be replaced at once: sessions continue, and the audit log and the webhooks work again', async () => {
    const former = await start({ auditSequencer: true });
    const ada = await signUpWithPassword(former, 'ada');
    const grace = await signUpWithOnlyPassword(former, 'grace');
    await former.auth.asOperator('ops').webhooks.create({ name: 'siem', url: 'https://siem.example.com/' });
    await caughtUp(former);
    const counted = await database.sql.unsafe(guide.block('password_hash is not null'));
    expect(counted).toMatchObject([{ count: '1' }]);
    const before = await run('latchkey secret');
    expect(codesOf(before)).toEqual([0, 0, 0]);
    const secret = before.at(-1)?.stdout.trim() ?? '';
    await former.close();
    services.splice(0);

    const service = await start({ secret, auditSequencer: false });
    const env = { JWT_SECRET: secret };
    expect((await service.browser(ada.browser.cookies).get('/auth/session')).body.user.username).toBe('ada');
    expect((await logInByPassword(service.browser(), grace)).status).toBe(401);
    expect((await logIn(service.browser(), ada.authenticator)).status).toBe(200);
    const { audit } = service.auth.asOperator('ops');
    expect((await audit.verify()).ok).toBe(false);
    expect(codesOf(await run('--reason="JWT_SECRET leaked"', env))).toEqual([0, 0]);
    const sequencing = await start({ secret, auditSequencer: true });
    await caughtUp(sequencing);
    expect((await audit.verify()).ok).toBe(true);
    expect(codesOf(await run('rotate-secret siem', env))).toEqual([0, 0]);
    expect(await service.auth.asOperator('ops').webhooks.list()).toMatchObject([
      { state: 'active', reason: null },
    ]);
  });
});

test('a superadmin who left has no session, and the next superadmin is active', async () => {
  const service = await start();
  const ada = await signUp(service, { username: 'ada' });
  await signUp(service, { username: 'grace' });
  await service.auth.asOperator('ops').users.changeRole('ada', 'superadmin');
  await logIn(ada.browser, ada.authenticator);
  expect((await ada.browser.get('/auth/session')).body.user.role).toBe('superadmin');
  expect(outputOf(await run('list --role superadmin'))).toMatch(/^ada +superadmin/m);
  expect(codesOf(await run('change-role grace superadmin'))).toEqual([0, 0, 0]);
  expect((await ada.browser.get('/auth/session')).body).toMatchObject({ code: 'not_authenticated' });
  const users =
    await database.sql`select username, status from latchkey.users where role = 'superadmin' order by username`;
  expect(users).toEqual([
    { username: 'ada', status: 'disabled' },
    { username: 'grace', status: 'active' },
  ]);
});

test('the last superadmin gets a recovery link, and another superadmin is possible only if no superadmin is active', async () => {
  const service = await start();
  await service.auth.asOperator('ops').bootstrap({ username: 'ada', password });
  expect(outputOf(await run('create-recovery-link ada'))).toContain('/recover#token=');
  const [refused] = await run('bootstrap --again');
  expect(refused?.exitCode).toBe(3);
  await database.sql`update latchkey.users set status = 'disabled' where role = 'superadmin'`;
  const [created] = await run('bootstrap --again');
  expect([created?.exitCode, created?.stdout]).toEqual([0, expect.stringContaining('/recover#token=')]);
});

test('`latchkey webhooks test` tells whether the receiver accepts events', async () => {
  const receiver = await startReceiver();
  const service = await start({ webhooks: { allowedNetworks: ['127.0.0.1'] } });
  await service.auth.asOperator('ops').webhooks.create({ name: 'siem', url: receiver.url });
  const env = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1' };
  receiver.answer((response) => response.writeHead(500).end());
  expect(codesOf(await run('webhooks test siem', env))).toEqual([0, 5]);
  receiver.answer((response) => response.writeHead(204).end());
  expect(codesOf(await run('webhooks test siem', env))).toEqual([0, 0]);
  await receiver.close();
});

test('an audit log that lost its newest entry verifies again after a new log', async () => {
  const service = await start({ auditSequencer: true });
  for (const username of ['ada', 'grace', 'linus'])
    await service.auth.asOperator('ops').users.create({ username });
  await caughtUp(service);
  writeFileSync(
    join(folder, 'checkpoints'),
    `${(await service.auth.asOperator('ops').audit.checkpoint()).note}`,
  );
  expect(codesOf(await run('--witness-file=checkpoints'))).toEqual([0]);
  // The doctor reports that no superadmin exists.
  expect(codesOf(await run('latchkey doctor --strict'))).toEqual([2]);
  await service.close();
  services.splice(0);
  await database.sql`alter table latchkey.audit_entries disable trigger user`;
  await database.sql`
    delete from latchkey.audit_entries where position = (select max(position) from latchkey.audit_entries)`;
  await database.sql`alter table latchkey.audit_entries enable trigger user`;
  expect(codesOf(await run('audit verify --json'))).toEqual([3]);
  expect(codesOf(await run('restored the backup'))).toEqual([0]);
  await caughtUp(await start({ auditSequencer: true }));
  expect(codesOf(await run('audit verify --json'))).toEqual([0]);
});

test('the audit log says who ended the sessions of a user', async () => {
  const service = await start();
  await signUp(service, { username: 'ada' });
  await service.auth.asOperator('ops').users.endSessions('ada');
  const ended = await run('audit tail --event session.');
  expect(codesOf(ended)).toEqual([0, 0, 0]);
  expect(ended[1]?.stdout).toMatch(/user\.end_sessions +ops → ada/);
});

test('an added origin is accepted, and the refusal of another one is in the log', async () => {
  const env = { WEBAUTHN_RP_ID: 'example.com' };
  const [ended] = await run('WEBAUTHN_RP_ORIGIN=', { ...env, NODE_ENV: 'production', BCRYPT_COST: '10' });
  expect(ended?.stdout).toContain('example.com, at https://example.com, https://app.example.com');
  const service = await start({ origins: [origin, 'http://localhost:4000'] });
  const from = (page: string) => service.browser().post('/auth/passkey/login/start', {}, { Origin: page });
  expect((await from('http://localhost:4000')).status).toBe(200);
  expect((await from('http://localhost:5000')).body.code).toBe('cross_origin_request');
  expect(service.logged).toMatchObject([
    {
      message: expect.stringContaining('rejected a cross-origin'),
      fields: { origin: 'http://localhost:5000' },
    },
  ]);
});

test('the doctor compares the clocks, and names Redis if it is unreachable', async () => {
  const [clocks] = await run('latchkey doctor --json');
  expect(JSON.parse(clocks?.stdout ?? '').checks).toContainEqual(
    expect.objectContaining({ name: 'Clocks', level: 'ok' }),
  );
  const [redis] = await run('REDIS_URL=');
  expect(redis?.stdout).toMatch(/Redis.*unreachable at redis:6379/);
});

describe('docs/operations/runbooks.md names', () => {
  const logLines = [
    'rate limit exceeded',
    'too many passwords to check',
    'the receiver of a webhook does not accept an event',
    'the receiver of a webhook accepts events again',
    'an auth.on handler failed',
    'auth.on handlers have missed events',
    'the audit log in the database is not the one that this service has signed',
    'rejected a cross-origin',
    'Redis is unreachable, so each process counts rate limits alone',
    'Redis is reachable again',
  ];
  const sources = [
    'src/http/rate-limiter.ts',
    'src/password/hashing.ts',
    'src/webhooks/failure.ts',
    'src/audit/subscriptions.ts',
    'src/service/audit-sequencer.ts',
    'src/http/same-origin.ts',
    'src/http/redis-store.ts',
  ];
  const logged = sources.map((file) => readFileSync(file, 'utf8')).join('\n');

  test.each(logLines)('the log line "%s" as the service writes it', (line) => {
    expect(text.replaceAll('\n', ' ')).toContain(`\`${line}`);
    expect(logged).toContain(line);
  });

  test('only metrics of the example server', () => {
    const known = readFileSync('examples/server/metrics/registry.ts', 'utf8');
    const named = [...text.matchAll(/latchkey_\w+/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !known.includes(`'${name}'`))).toEqual([]);
  });

  test('only events of the audit log', () => {
    const named = [...text.matchAll(/`((?:user|session|recovery|password|audit)\.[a-z_]+)`/g)].map(
      ([, name]) => name,
    );
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(auditEventNames as readonly string[]).includes(`${name}`))).toEqual([]);
  });
});
