import { createAuthService } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { type BudgetOptions, readBudgets } from '../../src/core/budgets.ts';
import { FaultList } from '../../src/core/config-fault.ts';

/** As from JavaScript, where anything may come. */
function read(given?: unknown) {
  const faults = new FaultList();
  return { budgets: readBudgets(faults, given as BudgetOptions), faults: faults.faults };
}

const whole = '{ max: 1 to 1000000, seconds: 1 to 86400 }, whole numbers';

describe('budgets', () => {
  test('have defaults, by which nobody guesses at a password more than forty times an hour', () => {
    const { budgets, faults } = read();
    expect(faults).toEqual([]);
    expect(Object.keys(budgets).sort()).toEqual(['ceremony', 'password', 'read', 'recovery', 'write']);
    const { account } = budgets.password;
    expect(((account?.max ?? Number.NaN) * 3600) / (account?.seconds ?? Number.NaN)).toBeLessThanOrEqual(40);
  });

  test('have defaults, by which no single address can spend the recovery of an account', () => {
    const { address, account } = read().budgets.recovery;
    expect(account?.seconds).toBe(address.seconds);
    expect(account?.max).toBeGreaterThan(address.max);
  });

  test('that are given stand in place of their defaults alone', () => {
    const { budgets, faults } = read({ password: { account: { max: 3, seconds: 86_400 } }, read: {} });
    expect(faults).toEqual([]);
    const defaults = read().budgets;
    expect(budgets).toEqual({
      ...defaults,
      password: { ...defaults.password, account: { max: 3, seconds: 86_400 } },
    });
  });

  test('of accounts may be none', () => {
    expect(read({ ceremony: { account: null } })).toMatchObject({
      budgets: { ceremony: { account: null } },
      faults: [],
    });
  });

  test.each([1, 1_000_000])('hold %i requests', (max) => {
    expect(read({ read: { address: { max, seconds: 60 } } }).faults).toEqual([]);
  });

  test.each([1, 86_400])('are for %i seconds', (seconds) => {
    expect(read({ read: { address: { max: 1, seconds } } }).faults).toEqual([]);
  });

  test.each<[told: string, given: unknown]>([
    ['{ max: 0, seconds: 60 }', { max: 0, seconds: 60 }],
    ['{ max: 1000001, seconds: 60 }', { max: 1_000_001, seconds: 60 }],
    ['{ max: 1.5, seconds: 60 }', { max: 1.5, seconds: 60 }],
    ['{ max: NaN, seconds: 60 }', { max: Number.NaN, seconds: 60 }],
    ['{ max: Infinity, seconds: 60 }', { max: Number.POSITIVE_INFINITY, seconds: 60 }],
    ["{ max: '5', seconds: 60 }", { max: '5', seconds: 60 }],
    ['{ max: 5n, seconds: 60 }', { max: 5n, seconds: 60 }],
    ['{ max: 5 }', { max: 5 }],
    ['{ max: 5, seconds: 0 }', { max: 5, seconds: 0 }],
    ['{ max: 5, seconds: 86401 }', { max: 5, seconds: 86_401 }],
    ['{ max: 5, seconds: -1 }', { max: 5, seconds: -1 }],
    ['5', 5],
    ['false', false],
    ["'5/60'", '5/60'],
  ])('cannot be %s', (told, given) => {
    expect(read({ read: { address: given }, write: { account: given } }).faults).toEqual([
      { variable: 'rateLimits.read.address', given: JSON.stringify(told), expected: whole },
      { variable: 'rateLimits.write.account', given: JSON.stringify(told), expected: `${whole}; or null` },
    ]);
  });

  test('of addresses cannot be none: RATE_LIMIT=off is the way to count nothing', () => {
    expect(read({ read: { address: null } }).faults).toEqual([
      { variable: 'rateLimits.read.address', given: '"null"', expected: whole },
    ]);
  });

  test('with a mistaken name are told of, and what names there are', () => {
    expect(read({ logins: {}, read: { adress: { max: 1, seconds: 1 } } }).faults).toEqual([
      {
        variable: 'rateLimits.logins',
        given: '"logins"',
        expected: 'one of read, write, ceremony, password, recovery',
      },
      { variable: 'rateLimits.read.adress', given: '"adress"', expected: 'one of address, account' },
    ]);
  });
});

test('a service with budgets that cannot be used does not start', async () => {
  const starting = createAuthService({
    database: 'postgresql://localhost/nowhere',
    env: { JWT_SECRET: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr' },
    rateLimits: { recovery: { address: { max: 0, seconds: 60 } } },
    redisUrl: 'http://localhost',
  });
  await expect(starting).rejects.toMatchObject({
    name: 'ConfigurationError',
    faults: [
      { variable: 'REDIS_URL', expected: 'redis://host:port or rediss://host:port' },
      { variable: 'rateLimits.recovery.address', expected: whole },
    ],
  });
});
