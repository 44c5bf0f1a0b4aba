import { createAuthService } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { type BudgetOptions, readBudgets } from '../../src/core/budgets.ts';
import { FaultList } from '../../src/core/config-fault.ts';

/** Takes `unknown`, because an application in JavaScript can pass any value. */
function read(given?: unknown) {
  const faults = new FaultList();
  return { budgets: readBudgets(faults, given as BudgetOptions), faults: faults.faults };
}

const whole = '{ max: 1 to 1000000, seconds: 1 to 86400 }, whole numbers';

describe('budgets', () => {
  test('allow at most 40 password attempts an hour for each account by default', () => {
    const { budgets, faults } = read();
    expect(faults).toEqual([]);
    expect(Object.keys(budgets).sort()).toEqual(['ceremony', 'password', 'read', 'recovery', 'write']);
    const { account } = budgets.password;
    expect(((account?.max ?? Number.NaN) * 3600) / (account?.seconds ?? Number.NaN)).toBeLessThanOrEqual(40);
  });

  test('are large enough by default that one IP address cannot use up the recovery budget of an account', () => {
    const { address, account } = read().budgets.recovery;
    expect(account?.seconds).toBe(address.seconds);
    expect(account?.max).toBeGreaterThan(address.max);
  });

  test('replace only the defaults with the same name', () => {
    const { budgets, faults } = read({ password: { account: { max: 3, seconds: 86_400 } }, read: {} });
    expect(faults).toEqual([]);
    const defaults = read().budgets;
    expect(budgets).toEqual({
      ...defaults,
      password: { ...defaults.password, account: { max: 3, seconds: 86_400 } },
    });
  });

  test('for accounts may be null', () => {
    expect(read({ ceremony: { account: null } })).toMatchObject({
      budgets: { ceremony: { account: null } },
      faults: [],
    });
  });

  test.each([1, 1_000_000])('may allow %i requests', (max) => {
    expect(read({ read: { address: { max, seconds: 60 } } }).faults).toEqual([]);
  });

  test.each([1, 86_400])('may have a window of %i seconds', (seconds) => {
    expect(read({ read: { address: { max: 1, seconds } } }).faults).toEqual([]);
  });

  test.each<[shown: string, given: unknown]>([
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
  ])('cannot be %s', (shown, given) => {
    expect(read({ read: { address: given }, write: { account: given } }).faults).toEqual([
      { setting: 'rateLimits.read.address', given: JSON.stringify(shown), expected: whole },
      { setting: 'rateLimits.write.account', given: JSON.stringify(shown), expected: `${whole}; or null` },
    ]);
  });

  test('for IP addresses cannot be null', () => {
    expect(read({ read: { address: null } }).faults).toEqual([
      { setting: 'rateLimits.read.address', given: '"null"', expected: whole },
    ]);
  });

  test('with an unknown name are rejected, and the error lists the known names', () => {
    expect(read({ logins: {}, read: { adress: { max: 1, seconds: 1 } } }).faults).toEqual([
      {
        setting: 'rateLimits.logins',
        given: '"logins"',
        expected: 'one of read, write, ceremony, password, recovery',
      },
      { setting: 'rateLimits.read.adress', given: '"adress"', expected: 'one of address, account' },
    ]);
  });
});

test('a service with invalid budgets does not start', async () => {
  const starting = createAuthService({
    database: 'postgresql://localhost/nowhere',
    env: { JWT_SECRET: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwEr' },
    rateLimits: { recovery: { address: { max: 0, seconds: 60 } } },
    redisUrl: 'http://localhost',
  });
  await expect(starting).rejects.toMatchObject({
    name: 'ConfigurationError',
    faults: [
      { setting: 'redisUrl', expected: expect.stringMatching(/^redis:\/\/host:port, redis\+sentinel:/) },
      { setting: 'rateLimits.recovery.address', expected: whole },
    ],
  });
});
