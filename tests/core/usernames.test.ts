import { ConfigurationError, type ConfigurationOptions, readConfiguration } from 'latchkey';
import { describe, expect, test } from 'vitest';

const env = { JWT_SECRET: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY' };
const database = 'postgresql://app@db.internal/shop';
const read = (usernames: unknown) =>
  readConfiguration({ env, database, usernames: usernames as ConfigurationOptions['usernames'] }).usernames;

describe('the option usernames', () => {
  test.each<[given: unknown, expected: object]>([
    [undefined, { format: 'handle', change: 'never' }],
    ['email', { format: 'email', change: 'never', max: 254 }],
    [
      { format: 'email', change: 'user' },
      { format: 'email', change: 'user' },
    ],
    [{ change: 'admin' }, { format: 'handle', change: 'admin' }],
    [{ pattern: /^E\d+$/ }, { format: 'custom', min: 3, max: 32, change: 'never' }],
  ])('accepts %j', (given, expected) => {
    expect(read(given)).toMatchObject(expected);
  });

  test.each<[given: unknown, setting: string, expected: string]>([
    ['phone', 'usernames', 'handle or email'],
    [7, 'usernames', 'handle, email or { format, pattern, canonicalize, min, max, change }'],
    [{ formats: 'email' }, 'usernames.formats', 'format'],
    [{ format: 'phone' }, 'usernames.format', 'handle or email'],
    [{ change: 'users' }, 'usernames.change', 'never, admin, user'],
    [{ change: undefined, min: 4 }, 'usernames.min', 'no value without usernames.pattern'],
    [{ canonicalize: String }, 'usernames.canonicalize', 'no value without usernames.pattern'],
    [{ pattern: '^E' }, 'usernames.pattern', 'a regular expression'],
    [{ pattern: /^E/g }, 'usernames.pattern', 'a regular expression without the flags g and y'],
    [
      { pattern: /^E/, format: 'email' },
      'usernames.format',
      'no value, because usernames.pattern replaces it',
    ],
    [{ pattern: /^E/, canonicalize: 'lower' }, 'usernames.canonicalize', 'a function that returns text'],
    [{ pattern: /^E/, min: 0 }, 'usernames.min', 'a whole number from 1 to 254'],
    [{ pattern: /^E/, min: 9, max: 8 }, 'usernames.max', 'a whole number from usernames.min to 254'],
    [{ pattern: /^E/, max: 255 }, 'usernames.max', 'a whole number from usernames.min to 254'],
  ])('rejects %j and names %s', (given, setting, expected) => {
    const attempt = () => read(given);
    expect(attempt).toThrow(ConfigurationError);
    expect(attempt).toThrow(new RegExp(`${setting.replaceAll('.', '\\.')}: given .*; expected `));
    try {
      attempt();
    } catch (error) {
      expect((error as ConfigurationError).faults).toEqual([
        { setting, given: expect.any(String), expected },
      ]);
    }
  });
});
