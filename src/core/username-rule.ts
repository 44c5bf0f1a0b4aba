import { inspect } from 'node:util';
import type { FaultList, Given } from './config-fault.ts';
import { readChoice } from './config-values.ts';
import { refuseUnknown } from './unknown-names.ts';

/** Who can change usernames: no user, admins, or admins and the users themselves. Operators always can. */
export type UsernameChange = 'never' | 'admin' | 'user';

const usernameChanges: readonly UsernameChange[] = ['never', 'admin', 'user'];

/** The option `usernames`. */
export interface UsernameOptions {
  /**
   * `handle`: 3 to 32 characters: `a` to `z`, `0` to `9` and, except at the ends, `.`, `_` and `-`. `email`: an e-mail
   * address; the service does not check that the user receives its mail. Default: `handle`.
   */
  readonly format?: 'handle' | 'email';
  /** The usernames that are allowed, in canonical form. Replaces `format`. Checked after `canonicalize`. */
  readonly pattern?: RegExp;
  /**
   * Returns the canonical form of what a user types. Only for `pattern`. Must return a canonical form unchanged.
   * Default: NFKC, without spaces at the ends, in lowercase.
   */
  readonly canonicalize?: (given: string) => string;
  /** The smallest number of characters. Only for `pattern`. 1 to 254; default 3. */
  readonly min?: number;
  /** The largest number of characters. Only for `pattern`. 1 to 254; default 32. */
  readonly max?: number;
  /**
   * Who can change a username: `never`: only operators; `admin`: also admins, for the users that they manage; `user`:
   * also users, for themselves. An earlier username stays taken. Default: `never`.
   */
  readonly change?: UsernameChange;
}

/** The checked option `usernames`. */
export interface UsernameRule {
  readonly format: 'handle' | 'email' | 'custom';
  readonly min: number;
  readonly max: number;
  readonly change: UsernameChange;
  /** Null unless `format` is `custom`. */
  readonly pattern: RegExp | null;
  readonly canonicalize: ((given: string) => string) | null;
}

/** The largest number of characters of any username. An e-mail address has at most 254 (RFC 5321). */
export const longestUsername = 254;

export const handleRule: UsernameRule = {
  format: 'handle',
  min: 3,
  max: 32,
  change: 'never',
  pattern: null,
  canonicalize: null,
};

export const emailRule: UsernameRule = { ...handleRule, format: 'email', min: 6, max: longestUsername };

const parts = ['format', 'pattern', 'canonicalize', 'min', 'max', 'change'];

/** Reads the option `usernames`, or the variable USERNAMES. */
export function readUsernameRule(
  faults: FaultList,
  given: UsernameOptions | 'handle' | 'email' | undefined,
  text: Given,
): UsernameRule {
  if (given === undefined || given === null || typeof given === 'string')
    return readChoice(faults, text, ['handle', 'email']) === 'email' ? emailRule : handleRule;
  const expect = (path: string, value: unknown, expected: string): void =>
    faults.add(
      path,
      typeof value === 'string' ? value : inspect(value, { breakLength: Number.POSITIVE_INFINITY }),
      expected,
    );
  if (typeof given !== 'object') {
    expect('usernames', given, 'handle, email or { format, pattern, canonicalize, min, max, change }');
    return handleRule;
  }
  refuseUnknown(faults, 'usernames', given, parts);
  const { format, pattern, canonicalize, change = 'never' } = given;
  if (!usernameChanges.includes(change)) expect('usernames.change', change, usernameChanges.join(', '));
  if (pattern === undefined) {
    for (const name of ['canonicalize', 'min', 'max'] as const)
      if (given[name] !== undefined)
        expect(`usernames.${name}`, given[name], 'no value without usernames.pattern');
    if (format !== undefined && format !== 'handle' && format !== 'email')
      expect('usernames.format', format, 'handle or email');
    return { ...(format === 'email' ? emailRule : handleRule), change };
  }
  if (format !== undefined)
    expect('usernames.format', format, 'no value, because usernames.pattern replaces it');
  if (!(pattern instanceof RegExp)) expect('usernames.pattern', pattern, 'a regular expression');
  else if (/[gy]/.test(pattern.flags))
    expect('usernames.pattern', pattern, 'a regular expression without the flags g and y');
  if (canonicalize !== undefined && typeof canonicalize !== 'function')
    expect('usernames.canonicalize', canonicalize, 'a function that returns text');
  const { min = handleRule.min, max = handleRule.max } = given;
  const isLength = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= longestUsername;
  if (!isLength(min)) expect('usernames.min', min, `a whole number from 1 to ${longestUsername}`);
  if (!isLength(max) || max < min)
    expect('usernames.max', max, `a whole number from usernames.min to ${longestUsername}`);
  return { format: 'custom', min, max, change, pattern, canonicalize: canonicalize ?? null };
}
