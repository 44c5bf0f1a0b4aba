import { ConfigurationError, type ConfigurationOptions, readConfiguration } from 'latchkey';
import { describe, expect, test } from 'vitest';

const development = {
  DATABASE_URL: 'postgresql://app:tr0mb0ne@db.internal:5432/shop',
  JWT_SECRET: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
};
const production = {
  ...development,
  NODE_ENV: 'production',
  WEBAUTHN_RP_ID: 'example.com',
  WEBAUTHN_RP_ORIGIN: 'https://example.com',
};
type Environment = Record<string, string | undefined>;
const read = (env: Environment, options: ConfigurationOptions = {}) =>
  readConfiguration({ env: { ...development, ...env }, ...options });
const readInProduction = (env: Environment, options: ConfigurationOptions = {}) =>
  readConfiguration({ env: { ...production, ...env }, ...options });

/** The faults of the configuration error. Fails if there is no error. */
function faultsOf(reading: () => unknown) {
  try {
    reading();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
  throw new Error('the configuration was accepted');
}

describe('BCRYPT_COST', () => {
  test.each([{}, { BCRYPT_COST: '' }, { BCRYPT_COST: ' ' }])('is 12 by default (environment %j)', (env) => {
    expect(read(env).bcryptCost).toBe(12);
    expect(readInProduction(env).bcryptCost).toBe(12);
  });

  test.each([4, 5, 9, 10, 16])('may be %d in development', (cost) => {
    expect(read({ BCRYPT_COST: `${cost}` }).bcryptCost).toBe(cost);
    expect(read({}, { bcryptCost: cost }).bcryptCost).toBe(cost);
  });

  test.each([10, 11, 16])('may be %d in production', (cost) => {
    expect(readInProduction({ BCRYPT_COST: `${cost}` }).bcryptCost).toBe(cost);
  });

  test('is ignored if the option bcryptCost is given', () => {
    expect(read({ BCRYPT_COST: '14' }, { bcryptCost: 13 }).bcryptCost).toBe(13);
  });

  test.each(['3', '17', '0', '-12', '12.5', '1e1', 'twelve', '12 rounds', '31'])('cannot be %s', (given) => {
    expect(faultsOf(() => read({ BCRYPT_COST: given }))).toEqual([
      {
        setting: 'BCRYPT_COST',
        given: JSON.stringify(given),
        expected: 'a whole number from 4 to 16',
      },
    ]);
  });

  test.each(['4', '9', '17'])('cannot be %s in production', (given) => {
    const fault = {
      setting: 'BCRYPT_COST',
      given: JSON.stringify(given),
      expected: 'a whole number from 10 to 16',
    };
    expect(faultsOf(() => readInProduction({ BCRYPT_COST: given }))).toEqual([fault]);
    expect(faultsOf(() => readInProduction({}, { bcryptCost: Number(given) }))).toEqual([
      { ...fault, setting: 'bcryptCost' },
    ]);
  });

  test('cannot be below 10 if the origin is a production origin, even if NODE_ENV is missing', () => {
    const env = { ...production, NODE_ENV: undefined, BCRYPT_COST: '9' };
    expect(faultsOf(() => read(env))).toMatchObject([{ setting: 'BCRYPT_COST' }]);
  });
});

describe('BREACHED_PASSWORDS_URL', () => {
  test.each([{}, { BREACHED_PASSWORDS_URL: '' }])('is null by default (environment %j)', (env) => {
    expect(read(env).breachedPasswordsUrl).toBeNull();
    expect(readInProduction(env).breachedPasswordsUrl).toBeNull();
  });

  test.each([
    ['https://api.pwnedpasswords.com', 'https://api.pwnedpasswords.com'],
    ['https://api.pwnedpasswords.com/', 'https://api.pwnedpasswords.com'],
    ['https://mirror.internal:8443/pwned//', 'https://mirror.internal:8443/pwned'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ])('may be %s', (given, url) => {
    expect(read({ BREACHED_PASSWORDS_URL: given }).breachedPasswordsUrl).toBe(url);
    expect(read({}, { breachedPasswordsUrl: given }).breachedPasswordsUrl).toBe(url);
  });

  test.each(['api.pwnedpasswords.com', 'ftp://api.pwnedpasswords.com', 'https://', 'on', '//example.com'])(
    'cannot be %s',
    (given) => {
      expect(faultsOf(() => read({ BREACHED_PASSWORDS_URL: given }))).toEqual([
        {
          setting: 'BREACHED_PASSWORDS_URL',
          given: `(${given.length} characters, not shown)`,
          expected: 'an https or http URL, such as https://api.pwnedpasswords.com',
        },
      ]);
    },
  );
});

test('one error reports both an invalid BCRYPT_COST and an invalid BREACHED_PASSWORDS_URL', () => {
  const faults = faultsOf(() => read({ BCRYPT_COST: 'low', BREACHED_PASSWORDS_URL: 'yes' }));
  expect(faults.map(({ setting }) => setting)).toEqual(['BCRYPT_COST', 'BREACHED_PASSWORDS_URL']);
});

describe('the option `password`', () => {
  const verify = () => true;

  test('is null by default, and accepts every form of a hash without `accepts`', () => {
    expect(read({}).hashVerifier).toBeNull();
    expect(read({}, { password: { verify } }).hashVerifier?.accepts('md5:12')).toBe(true);
  });

  test.each<[options: object, setting: string, given: string, expected: string]>([
    [{}, 'password.verify', 'undefined', 'a function'],
    [{ verify: undefined }, 'password.verify', 'undefined', 'a function'],
    [{ verify: 'argon2' }, 'password.verify', 'string', 'a function'],
    [{ verify, accepts: /^scrypt:/ }, 'password.accepts', 'object', 'a function'],
    [{ verify, accept: verify }, 'password.accept', 'an unknown option', 'accepts'],
  ])('rejects %j', (password, setting, given, expected) => {
    expect(faultsOf(() => read({}, { password } as ConfigurationOptions))).toEqual([
      { setting, given, expected },
    ]);
  });

  test('must be an object', () => {
    expect(faultsOf(() => read({}, { password: verify } as unknown as ConfigurationOptions))).toMatchObject([
      { setting: 'password', expected: 'an object' },
    ]);
  });
});
