import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { enroll } from '../../features/support/bootstrapping.ts';
import { logInByPassword } from '../../features/support/passwords.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import {
  bootstrapOn,
  countOf,
  credentials,
  eventsOf,
  operator,
  password,
  superadminsOf,
} from './support/superadmin.ts';

let database: TestDatabase;
let service: ServiceOn;
beforeEach(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
});
afterEach(async () => {
  await service.close();
  await database.drop();
});

const linkIn = (text: string) => /^http:\/\/localhost:3000\/recover#token=(\S+)$/m.exec(text);
const byPasskey = (line = '') => bootstrapOn(database, `--passkey --username ada ${line}`, {});

describe('`latchkey bootstrap --passkey` without a terminal', () => {
  test('creates a superadmin without a password and prints a link for adding a passkey', async () => {
    const { exitCode, stdout, stderr } = await byPasskey();
    expect(exitCode).toBe(0);
    const [line, token] = linkIn(stdout) ?? [];
    expect(stdout).toBe(`${line}\n`);
    expect(stderr).toContain('ada can open this link within an hour to add a passkey.');
    expect(await superadminsOf(database)).toEqual([{ username: 'ada', status: 'active', password: false }]);

    const browser = service.browser();
    expect((await enroll(browser, token)).status).toBe(201);
    const { body } = await browser.get('/auth/session');
    expect(body.user).toMatchObject({ username: 'ada', role: 'superadmin' });
    expect((await enroll(service.browser(), token)).status).toBe(401);
  });

  test('ignores a password in the environment variables', async () => {
    const { stdout } = await bootstrapOn(database, '--passkey');
    expect(linkIn(stdout)).not.toBeNull();
    expect(await superadminsOf(database)).toMatchObject([{ password: false }]);
  });

  test('prints the link, the token and the expiry as JSON if --json is given', async () => {
    const { stdout, stderr } = await byPasskey('--json');
    expect(stderr).toBe('');
    const { user, link } = JSON.parse(stdout);
    expect(user).toMatchObject({ username: 'ada', role: 'superadmin' });
    expect(link).toEqual({
      token: expect.any(String),
      url: `http://localhost:3000/recover#token=${link.token}`,
      usableAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    expect((await enroll(service.browser(), link.token)).status).toBe(201);
  });

  test('can be repeated until the superadmin adds the passkey, and each run replaces the previous link', async () => {
    const [, lost] = linkIn((await byPasskey()).stdout) ?? [];
    const second = await bootstrapOn(database, '--passkey --username grace', {});
    const [, token] = linkIn(second.stdout) ?? [];
    expect(await superadminsOf(database)).toMatchObject([{ username: 'grace' }]);
    expect((await enroll(service.browser(), lost)).status).toBe(401);
    expect((await enroll(service.browser(), token)).status).toBe(201);
    const after = await byPasskey();
    expect([after.exitCode, after.stdout]).toEqual([3, '']);
    expect(after.stderr).toContain('The first superadmin was already created');
    expect(await countOf(database, 'users')).toBe(1);
  });
});

describe('`latchkey bootstrap --again`', () => {
  const grace = { ...credentials, BOOTSTRAP_ADMIN_USERNAME: 'grace' };
  const expectRefused = async (line: string) => {
    const before = await superadminsOf(database);
    const { exitCode, stdout, stderr } = await bootstrapOn(database, line, grace);
    expect([exitCode, stdout]).toEqual([3, '']);
    expect(stderr).toContain('The first superadmin was already created.');
    expect((await superadminsOf(database)).length).toBe(before.length);
  };

  test('fails while a superadmin is active, and records the refusal', async () => {
    await bootstrapOn(database);
    await expectRefused('--again');
    expect(await eventsOf(database, 'superadmin.bootstrap')).toMatchObject([
      { outcome: 'success' },
      { outcome: 'failure', actor_name: operator, details: { reason: 'already_bootstrapped' } },
    ]);
  });

  test('creates a superadmin after all users were deleted by SQL, and records the detail `again: true`', async () => {
    await bootstrapOn(database);
    await database.sql`delete from latchkey.users`;
    await expectRefused('');
    const { exitCode, stdout } = await bootstrapOn(database, '--again', grace);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('grace');
    expect((await eventsOf(database, 'superadmin.bootstrap')).at(-1)).toMatchObject({
      outcome: 'success',
      actor_type: 'operator',
      actor_name: operator,
      target_name: 'grace',
      details: { method: 'password', again: true },
    });
    expect((await logInByPassword(service.browser(), { username: 'grace' }, password)).status).toBe(200);
    await expectRefused('');
  });

  test('creates a superadmin with a passkey after the only superadmin was disabled by SQL', async () => {
    await bootstrapOn(database);
    await database.sql`update latchkey.users set status = 'disabled'`;
    const { exitCode, stdout } = await bootstrapOn(database, '--again --passkey --username grace', {});
    expect(exitCode).toBe(0);
    expect((await enroll(service.browser(), linkIn(stdout)?.[1])).status).toBe(201);
    expect((await eventsOf(database, 'superadmin.bootstrap')).at(-1)).toMatchObject({
      details: { method: 'passkey', again: true },
    });
  });

  test('creates the first superadmin in the same way as the command without --again', async () => {
    expect((await bootstrapOn(database, '--again')).exitCode).toBe(0);
    expect(await eventsOf(database, 'superadmin.bootstrap')).toMatchObject([{ details: { again: false } }]);
  });
});
