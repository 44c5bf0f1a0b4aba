import { AuthError, ConfigurationError, type ErrorCode, SchemaError } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { explain } from '../../../cli/explain.ts';
import { UsageError } from '../../../cli/usage-error.ts';
import { startCommand } from './support/command.ts';

const withCode = (code: string) => Object.assign(new Error('it failed'), { code });

describe('explain', () => {
  test.each([
    ['an unavailable service', new AuthError('unavailable', { cause: withCode('ECONNRESET') })],
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a closed postgres.js connection', withCode('CONNECTION_CLOSED')],
    ['a missing table', withCode('42P01')],
    ['a full disk on the database server', withCode('53100')],
  ])('reports %s as a database error with exit code 4', (_, error) => {
    expect(explain(error)).toMatchObject({ exitCode: 4, next: expect.stringContaining('latchkey doctor') });
  });

  test.each([
    ['a TypeError', new TypeError('x is not a function')],
    ['a RangeError', new RangeError('Invalid array length')],
    ['an Error without a code', new Error('a row is missing')],
    ['a thrown string', 'oops'],
  ])('reports %s as a bug with the stack trace and exit code 1', (_, error) => {
    const { code, message, next, stack, exitCode } = explain(error);
    expect([code, exitCode]).toEqual(['bug', 1]);
    expect(message).toMatch(/^This is a bug in Latchkey: \w+: /);
    expect(next).toBe('Please report it with this stack trace:');
    expect(stack).toMatch(/^\s+at .+bug\.test\.ts|^\s+at .+bug\.ts/);
  });

  test('reports a missing privilege as a database error with exit code 4, and says what to grant', () => {
    expect(explain(withCode('42501'))).toEqual({
      code: 'permission',
      message: 'The role in DATABASE_URL lacks a privilege: it failed',
      next: 'As the owner of the schema (MIGRATION_DATABASE_URL), run `latchkey migrate --service-role=<role>`.',
      exitCode: 4,
    });
  });

  test.each<[number, string, Error]>([
    [2, 'usage', new UsageError('Expected a command.')],
    [2, 'configuration', new ConfigurationError([{ setting: 'SESSION_TTL', given: '1', expected: '2' }])],
    [4, 'schema_outdated', new SchemaError('schema_outdated', 'outdated')],
    [4, 'schema_newer', new SchemaError('schema_newer', 'newer')],
    ...(['invalid_request', 'username_unacceptable', 'password_unacceptable'] as const).map(
      (code: ErrorCode): [number, string, Error] => [2, code, new AuthError(code)],
    ),
    ...(['not_found', 'last_superadmin', 'already_bootstrapped', 'username_taken'] as const).map(
      (code: ErrorCode): [number, string, Error] => [3, code, new AuthError(code)],
    ),
    [4, 'unavailable', new AuthError('unavailable')],
    [5, 'failed', Object.assign(new Error('cannot start'), { name: 'EmbeddedPostgresError' })],
  ])('exits with %i for the error %s, without a stack trace', (exitCode, code, error) => {
    expect(explain(error)).toMatchObject({ exitCode, code });
    expect(explain(error).stack).toBeUndefined();
  });

  test('reports a file system error without a stack trace', () => {
    const error = Object.assign(new Error('EEXIST: file already exists'), {
      code: 'EEXIST',
      syscall: 'open',
    });
    expect(explain(error)).toEqual({ code: 'failed', message: error.message, exitCode: 5 });
  });
});

describe('a command with a bug', () => {
  const breakRandomBytes = `import crypto from 'node:crypto'; import { syncBuiltinESMExports } from 'node:module';
    crypto.randomBytes = () => { throw new TypeError('x is not a function'); }; syncBuiltinESMExports();`;
  const node = ['--import', `data:text/javascript,${encodeURIComponent(breakRandomBytes)}`];

  test('prints the stack trace and exits with 1', async () => {
    const { exitCode, stdout, stderr } = await startCommand(['secret'], { node }).ended;
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^error: This is a bug in Latchkey: TypeError: x is not a function\nPlease report/,
    );
    expect(stderr).toMatch(/^\s+at .+/m);
  });

  test('prints the stack trace as JSON if --json is given', async () => {
    const { exitCode, stderr } = await startCommand(['secret', '--json'], { node }).ended;
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'bug', stack: expect.stringMatching(/^\s+at /) });
  });
});
