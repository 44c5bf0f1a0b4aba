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
  'See who it is with `latchkey users list --role superadmin`. Where none is left that is active, ' +
  '`latchkey bootstrap --again` makes one.\n';

describe('bootstrapping with BOOTSTRAP_ADMIN_USERNAME and BOOTSTRAP_ADMIN_PASSWORD', () => {
  test('makes a superadmin who signs in with them over HTTP, and says what comes next', async () => {
    const { exitCode, stdout, stderr } = await bootstrapOn(database);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ada is the first superadmin\.\n\nNext:\n/);
    for (const step of [
      '/signin/password',
      'passkey',
      'recovery codes',
      'second superadmin',
      'BOOTSTRAP_ADMIN_PASSWORD',
    ])
      expect(stdout).toContain(step);
    expect(stdout).not.toContain(password);

    const service = await startServiceOn(database.url);
    const answer = await logInByPassword(service.browser(), { username: 'ada' }, password);
    await service.close();
    expect([answer.status, answer.body.user.role]).toEqual([200, 'superadmin']);
  });

  test('keeps a bcrypt hash of the password, and no recovery link', async () => {
    await bootstrapOn(database);
    const [row] = await database.sql`select password_hash from latchkey.users`;
    expect(row?.password_hash).toMatch(/^\S*\$2b\$04\$/);
    expect(row?.password_hash).not.toContain(password);
    expect(await countOf(database, 'recovery_links')).toBe(0);
  });

  test('is written down as done by who is signed in to this machine', async () => {
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

  test('prints the account for programs, without the password', async () => {
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

  test('takes the username of --username before that of the environment', async () => {
    await bootstrapOn(database, '--username grace');
    expect(await superadminsOf(database)).toEqual([{ username: 'grace', status: 'active', password: true }]);
  });

  test('happens once: the second time is refused with exit code 3, and says what to do', async () => {
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

describe('nothing is made, with exit code 2,', () => {
  const expectRefused = async (line: string, env: Record<string, string>, words: RegExp) => {
    const ended = await bootstrapOn(database, line, env);
    expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(words);
    expectNoStack(ended);
    expect(await countOf(database, 'users')).toBe(0);
    expect(await countOf(database, 'bootstrap')).toBe(0);
    return ended;
  };

  test.each(['', 'short', 'seven77'])('of a password under 8 characters: %j', async (short) => {
    const ended = await expectRefused('', { ...credentials, BOOTSTRAP_ADMIN_PASSWORD: short }, /password/i);
    if (short) expect(ended.stderr).not.toContain(short);
  });

  test('of a password under 8 characters it says that 8 are expected', () =>
    expectRefused('', { ...credentials, BOOTSTRAP_ADMIN_PASSWORD: 'seven77' }, /\b8\b/));

  test('of a username that is none', () =>
    expectRefused('', { ...credentials, BOOTSTRAP_ADMIN_USERNAME: 'a b' }, /3 to 32 characters/));

  test('without a username, and it is named', async () => {
    const { stderr } = await expectRefused(
      '',
      { BOOTSTRAP_ADMIN_PASSWORD: password },
      /BOOTSTRAP_ADMIN_USERNAME/,
    );
    expect(stderr).toContain('--username');
    expect(stderr).not.toContain('BOOTSTRAP_ADMIN_PASSWORD');
  });

  test('without a password, and it is named', async () => {
    const { stderr } = await expectRefused('--username ada', {}, /BOOTSTRAP_ADMIN_PASSWORD/);
    expect(stderr).toContain('--passkey');
    expect(stderr).not.toContain('BOOTSTRAP_ADMIN_USERNAME');
  });

  test('without either, and both are named, for programs too', async () => {
    await expectRefused('', {}, /BOOTSTRAP_ADMIN_USERNAME.+BOOTSTRAP_ADMIN_PASSWORD/);
    const { stderr } = await expectRefused(
      '--json',
      {},
      /BOOTSTRAP_ADMIN_USERNAME.+BOOTSTRAP_ADMIN_PASSWORD/,
    );
    expect(JSON.parse(stderr).error.code).toBe('usage');
  });

  test('for a password among the arguments, which everybody on the machine can read', () =>
    expectRefused('--password whatever-it-is', { BOOTSTRAP_ADMIN_USERNAME: 'ada' }, /--password/));
});
