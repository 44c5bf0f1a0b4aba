import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { logInByPassword } from '../../features/support/passwords.ts';
import { startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { expectNoStack } from './support/command.ts';
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
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const refusal =
  'error: The first superadmin was already created.\n' +
  'List superadmins with `latchkey users list --role superadmin`. If none of them is active, ' +
  'run `latchkey bootstrap --again`.\n';

describe('`latchkey bootstrap` with BOOTSTRAP_ADMIN_USERNAME and BOOTSTRAP_ADMIN_PASSWORD', () => {
  test('creates a superadmin who can sign in over HTTP, and prints the next steps', async () => {
    const { exitCode, stdout, stderr } = await bootstrapOn(database);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ada is a superadmin\.\n\nNext:\n/);
    for (const step of [
      '/signin/password',
      'passkey',
      'recovery codes',
      'another user a superadmin',
      'BOOTSTRAP_ADMIN_PASSWORD',
    ])
      expect(stdout).toContain(step);
    expect(stdout).not.toContain(password);

    const service = await startServiceOn(database.url);
    const answer = await logInByPassword(service.browser(), { username: 'ada' }, password);
    await service.close();
    expect([answer.status, answer.body.user.role]).toEqual([200, 'superadmin']);
  });

  test('stores a bcrypt hash of the password and no recovery link', async () => {
    await bootstrapOn(database);
    const [row] = await database.sql`select password_hash from latchkey.users`;
    expect(row?.password_hash).toMatch(/^\S*\$2b\$04\$/);
    expect(row?.password_hash).not.toContain(password);
    expect(await countOf(database, 'recovery_links')).toBe(0);
  });

  test('records the system user as the operator', async () => {
    await bootstrapOn(database);
    expect(await eventsOf(database, 'superadmin.bootstrap')).toEqual([
      expect.objectContaining({
        outcome: 'success',
        actor_type: 'operator',
        actor_name: operator,
        target_name: 'ada',
        details: { method: 'password', again: false },
      }),
    ]);
  });

  test('prints the user as JSON, but not the password, if --json is given', async () => {
    const { exitCode, stdout, stderr } = await bootstrapOn(database, '--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual({
      user: {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        username: 'ada',
        displayName: null,
        role: 'superadmin',
        status: 'active',
        createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
      },
      link: null,
    });
    expect(stdout).not.toContain(password);
  });

  test('uses --username instead of the environment variable', async () => {
    await bootstrapOn(database, '--username grace');
    expect(await superadminsOf(database)).toEqual([{ username: 'grace', status: 'active', password: true }]);
  });

  test('creates a superadmin only once: a second run exits with 3 and prints a next step', async () => {
    await bootstrapOn(database);
    const again = await bootstrapOn(database, '', { ...credentials, BOOTSTRAP_ADMIN_USERNAME: 'grace' });
    expect(again).toMatchObject({ exitCode: 3, stdout: '', stderr: refusal });
    expect(await superadminsOf(database)).toMatchObject([{ username: 'ada' }]);
    const forPrograms = await bootstrapOn(database, '--json');
    expect(forPrograms).toMatchObject({ exitCode: 3, stdout: '' });
    expect(JSON.parse(forPrograms.stderr).error).toMatchObject({
      code: 'already_bootstrapped',
      next: expect.stringContaining('latchkey bootstrap --again'),
    });
  });
});

describe('`latchkey bootstrap` exits with 2 and creates nothing', () => {
  const expectRefused = async (line: string, env: Record<string, string>, words: RegExp) => {
    const ended = await bootstrapOn(database, line, env);
    expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(words);
    expectNoStack(ended);
    expect(await countOf(database, 'users')).toBe(0);
    expect(await countOf(database, 'bootstrap')).toBe(0);
    return ended;
  };

  test.each(['', 'short', 'seven77'])('if the password has fewer than 8 characters: %j', async (short) => {
    const ended = await expectRefused('', { ...credentials, BOOTSTRAP_ADMIN_PASSWORD: short }, /password/i);
    if (short) expect(ended.stderr).not.toContain(short);
  });

  test('if the password has 7 characters; the error says that a password needs 8 characters', () =>
    expectRefused('', { ...credentials, BOOTSTRAP_ADMIN_PASSWORD: 'seven77' }, /\b8\b/));

  test('if the username is invalid', () =>
    expectRefused('', { ...credentials, BOOTSTRAP_ADMIN_USERNAME: 'a b' }, /3 to 32 characters/));

  test('if the username is missing; the error names the environment variable', async () => {
    const { stderr } = await expectRefused(
      '',
      { BOOTSTRAP_ADMIN_PASSWORD: password },
      /BOOTSTRAP_ADMIN_USERNAME/,
    );
    expect(stderr).toContain('--username');
    expect(stderr).not.toContain('BOOTSTRAP_ADMIN_PASSWORD');
  });

  test('if the password is missing; the error names the environment variable', async () => {
    const { stderr } = await expectRefused('--username ada', {}, /BOOTSTRAP_ADMIN_PASSWORD/);
    expect(stderr).toContain('--passkey');
    expect(stderr).not.toContain('BOOTSTRAP_ADMIN_USERNAME');
  });

  test('if the username and the password are missing; the error names both environment variables, even with --json', async () => {
    await expectRefused('', {}, /BOOTSTRAP_ADMIN_USERNAME.+BOOTSTRAP_ADMIN_PASSWORD/);
    const { stderr } = await expectRefused(
      '--json',
      {},
      /BOOTSTRAP_ADMIN_USERNAME.+BOOTSTRAP_ADMIN_PASSWORD/,
    );
    expect(JSON.parse(stderr).error.code).toBe('usage');
  });

  test('if the password is an argument, because other users of the system can read arguments', () =>
    expectRefused('--password whatever-it-is', { BOOTSTRAP_ADMIN_USERNAME: 'ada' }, /--password/));
});
