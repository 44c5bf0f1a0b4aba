import { AuthError } from 'latchkey';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { composeDatabase } from '../../src/db/compose-database.ts';
import { sql } from '../../src/db/sql.ts';
import { isUndefinedTable, violatesUnique } from '../../src/db/sql-states.ts';
import { StatementTimeout, statementTimeoutMs } from '../../src/db/statement-timeout.ts';

const statement = sql`select ${1}::integer as one`;
const coded = (code: string, message = 'message of a driver') => Object.assign(new Error(message), { code });

/** Returns the error of a query whose adapter fails with the given error. */
async function outcomeOf(error: unknown): Promise<unknown> {
  const db = composeDatabase({ query: () => Promise.reject(error) });
  try {
    await db.query(statement);
  } catch (thrown) {
    return thrown;
  }
  throw new Error('no error was thrown');
}

async function expectUnavailable(error: unknown): Promise<void> {
  const outcome = await outcomeOf(error);
  expect(outcome).toBeInstanceOf(AuthError);
  expect(outcome).toMatchObject({
    code: 'unavailable',
    status: 503,
    expose: true,
    headers: { 'Retry-After': expect.stringMatching(/^\d+$/) },
    cause: error,
  });
  // The message of a driver may contain host names and usernames, so only the log may contain this message.
  expect((outcome as AuthError).message).not.toContain((error as Error).message);
}

describe('the error becomes `unavailable`:', () => {
  test.each([
    ['08000', 'connection exception'],
    ['08001', 'client unable to establish the connection'],
    ['08003', 'connection does not exist'],
    ['08006', 'connection failure'],
    ['08P01', 'protocol violation'],
    ['25006', 'read-only transaction: a standby'],
    ['40001', 'serialization failure'],
    ['40P01', 'deadlock detected'],
    ['53000', 'insufficient resources'],
    ['53100', 'disk full'],
    ['53200', 'out of memory'],
    ['53300', 'too many connections'],
    ['53400', 'configuration limit exceeded'],
    ['55000', 'object not in prerequisite state: the database accepts no connections'],
    ['57000', 'operator intervention'],
    ['57014', 'query canceled'],
    ['57P01', 'admin shutdown'],
    ['57P02', 'crash shutdown'],
    ['57P03', 'cannot connect now: starting up or recovering'],
    ['57P04', 'database dropped'],
    ['57P05', 'idle session timeout'],
    ['58000', 'system error'],
    ['58030', 'input or output error'],
    ['58P01', 'undefined file'],
  ])('SQLSTATE %s, %s', (code) => expectUnavailable(coded(code)));

  test.each([
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENETDOWN',
    'ENOTFOUND',
    'EAI_AGAIN',
    'EADDRNOTAVAIL',
    'EMFILE',
    'ENFILE',
    'ENOENT',
    'EBUSY',
    'EIO',
    'ERR_SOCKET_CLOSED',
    'ERR_STREAM_DESTROYED',
    'ERR_STREAM_WRITE_AFTER_END',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ])('the system error %s', (code) => expectUnavailable(coded(code)));

  test('several IP addresses that all refuse the connection', () =>
    expectUnavailable(
      Object.assign(
        new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')], 'connect 10.0.0.1:5432'),
        {
          code: 'ECONNREFUSED',
        },
      ),
    ));

  test.each(['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'])(
    '%s of postgres.js',
    (code) => expectUnavailable(coded(code, `write ${code} db.internal:5432`)),
  );

  test.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
  ])('%j of pg, without a code', (message) => expectUnavailable(new Error(message)));
});

describe('the error stays unchanged:', () => {
  test.each([
    ['22001', 'string too long'],
    ['22021', 'character not in repertoire'],
    ['22P02', 'invalid text representation'],
    ['23503', 'foreign key violation'],
    ['23505', 'unique violation'],
    ['23514', 'check violation'],
    ['3F000', 'invalid schema name'],
    ['42501', 'insufficient privilege'],
    ['42601', 'syntax error'],
    ['42P01', 'undefined table'],
    ['25001', 'active transaction'],
    ['P0001', 'raised by a function'],
    ['XX000', 'internal error'],
  ])('SQLSTATE %s, %s', async (code) => {
    const error = coded(code);
    expect(await outcomeOf(error)).toBe(error);
  });

  test.each(['UNDEFINED_VALUE', 'MAX_PARAMETERS_EXCEEDED', 'NOT_TAGGED_CALL', 'UNSAFE_TRANSACTION'])(
    '%s of postgres.js, an error in the statement',
    async (code) => {
      const error = coded(code);
      expect(await outcomeOf(error)).toBe(error);
    },
  );

  test.each([
    [
      'a value that cannot be sent',
      Object.assign(new TypeError('of type string'), { code: 'ERR_INVALID_ARG_TYPE' }),
    ],
    ['a programming error', new TypeError("Cannot read properties of undefined (reading 'rows')")],
    ['an error without a connection message', new Error('unrelated')],
    ['a string', 'a string'],
    ['undefined', undefined],
  ])('%s', async (_, error) => {
    expect(await outcomeOf(error)).toBe(error);
  });
});

describe('a statement that was sent to the database', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  test('fails with `unavailable` in less than five seconds if no response arrives', async () => {
    expect(statementTimeoutMs).toBeLessThan(5000);
    const settled = vi.fn();
    const db = composeDatabase({ query: () => new Promise(() => {}) });
    const outcome = db.query(statement).catch((error: unknown) => {
      settled();
      return error;
    });
    await vi.advanceTimersByTimeAsync(statementTimeoutMs - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toMatchObject({ code: 'unavailable', cause: expect.any(StatementTimeout) });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('causes no unhandled rejection if it also fails after the time limit', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    let fail: (error: Error) => void = () => {};
    const db = composeDatabase({ query: () => new Promise((_, reject) => (fail = reject)) });
    const outcome = db.query(statement).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(statementTimeoutMs);
    expect(await outcome).toMatchObject({ code: 'unavailable' });
    fail(coded('CONNECTION_DESTROYED'));
    vi.useRealTimers();
    await new Promise((done) => setImmediate(() => setImmediate(done)));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  test('leaves no timer if the response arrives in time', async () => {
    const db = composeDatabase({ query: async <Row>() => [{ one: 1 }] as Row[] });
    expect(await db.query(statement)).toEqual([{ one: 1 }]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('recognizing database errors:', () => {
  const detail = 'Key (username)=(ann) already exists.';
  test.each([
    ['an error of PostgreSQL', { code: '23505', detail }, true],
    ['an error of pg-mem', { code: '23505', data: { details: detail } }, true],
    [
      'an error about another column',
      { code: '23505', detail: 'Key (credential_id)=(x) already exists.' },
      false,
    ],
    ['an error of another kind of constraint', { code: '23503', detail }, false],
    ['an error without details', { code: '23505' }, false],
    ['an error without a code', { detail }, false],
  ])('%s (%j) means that the username is not unique: %s', (_, properties, expected) => {
    expect(violatesUnique(Object.assign(new Error('duplicate key'), properties), 'username')).toBe(expected);
  });

  test.each([
    ['42P01', true],
    ['3F000', true],
    ['42P02', false],
  ])('SQLSTATE %s means that a table is missing: %s', (code, expected) => {
    expect(isUndefinedTable(coded(code))).toBe(expected);
    expect(isUndefinedTable({ code })).toBe(false);
  });
});
