import { type AuthServiceOptions, createAuthService, defineConfig, readConfiguration } from 'latchkey';
import { describe, expect, expectTypeOf, test } from 'vitest';

const secret = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY';
const database = 'postgresql://app:tr0mb0ne@127.0.0.1:9/shop';
const valid = { database, secret, env: {} };
const production = {
  ...valid,
  env: { NODE_ENV: 'production' },
  rpId: 'example.com',
  origins: 'https://example.com',
};
const secretExpected =
  'at least 32 random bytes, for example from `openssl rand -base64 32`; to rotate: several secrets, separated by commas';

/** The message of the error, which the developer sees when the service starts. */
const messageOf = (options: unknown): Promise<string> =>
  createAuthService(options as AuthServiceOptions).then(
    () => 'no error',
    (error: Error) => `${error.name}: ${error.message}`,
  );

describe('createAuthService rejects', () => {
  test.each<[what: string, options: object, line: string]>([
    ['rpID', { rpID: 'example.com' }, 'rpID: given an unknown option; expected rpId'],
    ['origin', { origin: 'https://a.example' }, 'origin: given an unknown option; expected origins'],
    ['databaseUrl', { databaseUrl: database }, 'databaseUrl: given an unknown option; expected database'],
    ['secrets', { secrets: [secret] }, 'secrets: given an unknown option; expected secret'],
    [
      'a variable as an option',
      { JWT_SECRET: secret },
      'JWT_SECRET: given an unknown option; expected secret',
    ],
    ['logger', { logger: console }, 'logger: given an unknown option; expected log'],
    ['sessionTtl', { sessionTtl: 60 }, 'sessionTtl: given an unknown option; expected sessionTtlSeconds'],
    [
      'an unknown option without a value',
      { rpID: undefined },
      'rpID: given an unknown option; expected rpId',
    ],
    [
      'an unknown role in sessionLifetimes',
      { sessionLifetimes: { admins: { ttlSeconds: 60 } } },
      'sessionLifetimes.admins: given an unknown option; expected admin',
    ],
    [
      'an unknown name in the lifetimes of a role',
      { sessionLifetimes: { admin: { ttl: 60 } } },
      'sessionLifetimes.admin.ttl: given an unknown option; expected ttlSeconds',
    ],
    [
      'a number as the lifetimes of a role',
      { sessionLifetimes: { admin: 60 } },
      'sessionLifetimes.admin: given a number; expected an object',
    ],
    [
      'an unknown kind of route in rateLimits',
      { rateLimits: { login: {} } },
      'rateLimits.login: given "login"; expected one of read, write, ceremony, password, recovery',
    ],
    ['a text as rateLimits', { rateLimits: 'off' }, 'rateLimits: given a string; expected an object'],
    ['a text as rateLimit', { rateLimit: 'off' }, 'rateLimit: given a string; expected true or false'],
    ['a text as migrate', { migrate: 'yes' }, 'migrate: given a string; expected true or false'],
    [
      'a date as the clock',
      { clock: new Date() },
      'clock: given an object; expected a function that returns a Date, such as () => new Date()',
    ],
    [
      'a function as the logger',
      { log: () => {} },
      'log: given a function; expected an object with the functions info, warn and error, such as pino() or console',
    ],
    [
      'a URL as redis',
      { redis: 'redis://localhost' },
      'redis: given a string; expected an ioredis client (pass a URL as redisUrl)',
    ],
    ['a text as env', { env: 'production' }, 'env: given a string; expected an object'],
    [
      'a duration with a unit',
      { sessionTtlSeconds: '1h' },
      'sessionTtlSeconds: given "1h"; expected a whole number of seconds from 5 to 31536000',
    ],
    [
      'an idle timeout longer than the session',
      { sessionTtlSeconds: 60, sessionIdleTimeoutSeconds: 61 },
      'sessionIdleTimeoutSeconds: given "61"; expected a whole number of seconds (at most sessionTtlSeconds) from 2 to 60',
    ],
    [
      'an origin as rpId',
      { rpId: 'https://example.com', origins: 'https://example.com' },
      'rpId: given "https://example.com"; expected the domain that passkeys are bound to, such as example.com, without scheme or port\n' +
        '  origins: given "https://example.com"; expected an origin whose host is https://example.com (rpId) or a subdomain of it',
    ],
    [
      'an IP address as rpId',
      { rpId: '127.0.0.1', origins: 'https://127.0.0.1' },
      'rpId: given "127.0.0.1"; expected the domain that passkeys are bound to, such as example.com, without scheme or port; not an IP address',
    ],
    [
      'an origin with a path',
      { origins: 'http://localhost:3000/app' },
      'origins: given "http://localhost:3000/app"; expected scheme, host and port only, such as https://example.com',
    ],
    [
      'an origin outside of rpId',
      { rpId: 'example.com', origins: 'https://example.org' },
      'origins: given "https://example.org"; expected an origin whose host is example.com (rpId) or a subdomain of it',
    ],
    [
      'a page on another origin',
      { recoveryPage: 'https://evil.example/recover' },
      'recoveryPage: given "https://evil.example/recover"; expected a path, or a URL on http://localhost:3000, without a fragment',
    ],
    [
      'a page on another origin in a variable',
      { env: { JOIN_PAGE: 'https://evil.example/join' } },
      'JOIN_PAGE: given "https://evil.example/join"; expected a path, or a URL on http://localhost:3000, without a fragment',
    ],
    [
      'a URL of another database',
      { database: 'mysql://app:tr0mb0ne@db/shop' },
      'database: given (28 characters, not shown); expected postgresql://user:password@host:port/database, or several hosts: postgresql://user:password@host1:port,host2:port/database',
    ],
    [
      'a URL of another cache',
      { redisUrl: 'http://cache:6379' },
      'redisUrl: given (17 characters, not shown); expected redis://host:port, redis+sentinel://host1:port,host2:port/name-of-the-primary or redis+cluster://host1:port,host2:port (with TLS: rediss instead of redis)',
    ],
    [
      'plain http in production',
      { ...production, origins: 'http://example.com' },
      'origins: given "http://example.com"; expected https (http is allowed only for http://localhost in development)',
    ],
    [
      'a weak secret in production',
      { ...production, secret: 'hunter2hunter2' },
      `secret: given (14 characters, not shown); expected ${secretExpected} (this is too weak: about 84 bits)`,
    ],
    [
      'a placeholder as the secret in production',
      {
        ...production,
        secret: undefined,
        env: { NODE_ENV: 'production', JWT_SECRET: `change-me-${secret}` },
      },
      `JWT_SECRET: given (53 characters, not shown); expected ${secretExpected} (this is a well-known placeholder)`,
    ],
    [
      'no secret in production',
      { ...production, secret: undefined },
      `JWT_SECRET: given nothing; expected ${secretExpected}`,
    ],
    [
      'localhost in production',
      { ...production, rpId: 'localhost', origins: 'https://localhost' },
      'rpId: given "localhost"; expected the domain that passkeys are bound to, such as example.com, without scheme or port; localhost is for development only',
    ],
    [
      'a variable with a wrong value',
      { env: { SESSION_TTL: '30d' } },
      'SESSION_TTL: given "30d"; expected a whole number of seconds from 5 to 31536000',
    ],
  ])('%s', async (_, options, line) => {
    expect(await messageOf({ ...valid, ...options })).toBe(
      `ConfigurationError: Invalid configuration:\n  ${line}`,
    );
  });

  test.each<[what: string, options: unknown, message: string]>([
    [
      'a URL instead of options',
      database,
      'TypeError: createAuthService: expected an object of options, given a string. Pass a database URL as { database: url }.',
    ],
    ['null', null, 'TypeError: createAuthService: expected an object of options, given null.'],
    ['a list', [], 'TypeError: createAuthService: expected an object of options, given an array.'],
    [
      'a number as the database',
      { ...valid, database: 5432 },
      'TypeError: database: expected a URL, a postgres.js client, a pg pool, or a Database',
    ],
    [
      'capabilities of an unknown role',
      { ...valid, capabilities: { members: { 'note:read': 'own' } } },
      'TypeError: capabilities.members: expected one of user, admin, superadmin.',
    ],
    [
      'capabilities of a misspelled role',
      { ...valid, capabilities: { admins: { 'note:read': 'own' } } },
      'TypeError: capabilities.admins: expected one of user, admin, superadmin. Did you mean "admin"?',
    ],
    [
      'an unknown scope of a capability',
      { ...valid, capabilities: { user: { 'note:read': 'mine' } } },
      "TypeError: capabilities.user['note:read']: expected scopes among own, joined, managed, any",
    ],
  ])('%s', async (_, options, message) => {
    expect(await messageOf(options)).toBe(message);
  });

  test('an option that no other option resembles, with the list of all options, and does not show the value', async () => {
    const message = await messageOf({ ...valid, smtpPasscode: 'open-sesame' });
    expect(message).toMatch(
      /^ConfigurationError: Invalid configuration:\n {2}smtpPasscode: given an unknown option; expected one of database, migrationDatabase, rpId, .*, log, clock$/,
    );
  });

  test('all mistakes together', async () => {
    expect(await messageOf({ ...valid, rpID: 'a.example', migrate: 1, bcryptCost: 99 })).toBe(
      'ConfigurationError: Invalid configuration:\n' +
        '  rpID: given an unknown option; expected rpId\n' +
        '  migrate: given a number; expected true or false\n' +
        '  bcryptCost: given "99"; expected a whole number from 4 to 16',
    );
  });
});

test('null counts as a missing option', () => {
  const missing = {
    origins: null,
    rpId: null,
    sessionLifetimes: null,
    cookies: null,
    nativeApps: null,
    bearerTokens: null,
    rateLimit: null,
    privilegedMethods: null,
    tokenAudiences: null,
    migrationDatabase: null,
    signUp: null,
    usernames: null,
    rateLimits: null,
    log: null,
    clock: null,
  };
  expect(readConfiguration({ ...valid, ...missing } as object)).toEqual(readConfiguration(valid));
  const fromVariables = { secret, env: { DATABASE_URL: database, MIGRATION_DATABASE_URL: database } };
  expect(readConfiguration({ ...fromVariables, database: null, migrationDatabase: null } as object)).toEqual(
    readConfiguration(fromVariables),
  );
});

test('createAuthService treats null as a missing option', async () => {
  const missing = { redis: null, migrate: null, clock: null };
  const message = await messageOf({ ...valid, ...missing, database: null, env: { DATABASE_URL: database } });
  expect(message).toMatch(/^DatabaseError: .+DATABASE_URL/);
});

test('readConfiguration accepts the options of createAuthService and rejects unknown ones', () => {
  const options = { ...valid, migrate: true, log: console, clock: () => new Date(), capabilities: {} };
  expect(readConfiguration(options).rpId).toBe('localhost');
  expect(() => readConfiguration({ ...options, rpid: 'a.example' } as object)).toThrow(
    'Invalid configuration:\n  rpid: given an unknown option; expected rpId',
  );
});

describe('defineConfig', () => {
  test('returns the options, and keeps the names of the capabilities', () => {
    const config = defineConfig({ ...valid, capabilities: { user: { 'note:read': 'own' } } });
    expect(config.capabilities.user).toEqual({ 'note:read': 'own' });
    const create = () => createAuthService(config);
    expectTypeOf<Awaited<ReturnType<typeof create>>['can']>()
      .parameter(1)
      .extract<'note:read'>()
      .not.toBeNever();
    const plain = () => createAuthService(defineConfig({ rpName: 'Notes' }));
    expectTypeOf<Awaited<ReturnType<typeof plain>>['can']>().parameter(1).extract<'note:read'>().toBeNever();
  });

  test('has a type that rejects unknown options and wrong values', () => {
    // @ts-expect-error: unknown option
    defineConfig({ rpID: 'example.com' });
    // @ts-expect-error: the value is a number
    defineConfig({ sessionTtlSeconds: '1h' });
    // @ts-expect-error: unknown scope
    defineConfig({ capabilities: { user: { 'note:read': 'mine' } } });
    expectTypeOf(defineConfig).toBeFunction();
  });
});
