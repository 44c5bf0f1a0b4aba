import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { emailRule, handleRule, type UsernameRule } from '../../src/core/username-rule.ts';
import { skeletonOf } from '../../src/users/look-alikes.ts';
import {
  canonicalUsername,
  fitsRule,
  isStorable,
  usernameLookup,
  usernameToFind,
} from '../../src/users/rules.ts';
import { anyText, forAll } from './support/for-all.ts';

const customRule: UsernameRule = {
  ...handleRule,
  format: 'custom',
  min: 2,
  max: 40,
  pattern: /^[a-z0-9:]+$/,
};
const rules: [string, UsernameRule][] = [
  ['handle', handleRule],
  ['email', emailRule],
  ['custom', customRule],
];

/** Characters of usernames, characters that NFKC converts to them, and characters that look like them. */
const alphabet = [
  // cspell:disable-next-line
  ...'abilmnorstvwz01345789._-@:+ ABZ',
  ...'ａＡ①ﬁſK‐․ﬀªºｅ０é\u0301\u200b\u202e\u00ad\u0430\u0131İß',
];
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 40 }),
  // cspell:disable-next-line
  fc.string({ unit: fc.constantFrom(...'abilmnorstvw01345789._-'), minLength: 3, maxLength: 12 }),
  anyText(),
  fc.emailAddress(),
);

describe.each(rules)('with the rule %s,', (_, rule) => {
  test('the canonical form of a canonical username is the same', () => {
    forAll(
      [name],
      (given) => {
        const { username, problem } = canonicalUsername(given, rule);
        if (problem === 'invalid') return;
        expect(canonicalUsername(username, rule)).toEqual({ username, problem });
        expect(fitsRule(username, rule)).toBe(true);
      },
      1000,
    );
  });

  test('a username is stored only as printable ASCII without spaces, capitals and tildes', () => {
    forAll(
      [name],
      (given) => {
        const { username, problem } = canonicalUsername(given, rule);
        if (problem === 'invalid') return;
        expect(username).toMatch(/^[!-@[-}]+$/);
        expect(isStorable(username)).toBe(true);
      },
      1000,
    );
  });

  test('an account is found with every text that has its username as the canonical form', () => {
    forAll(
      [name],
      (given) => {
        const { username, problem } = canonicalUsername(given, rule);
        if (problem === 'invalid') return;
        expect(usernameToFind(given, rule)).toBe(username);
        expect(usernameLookup(username, rule)).toEqual({ exact: username, canonical: username });
      },
      1000,
    );
  });

  test('the functions for usernames never throw, for any text', () => {
    forAll([anyText(300)], (given) => {
      canonicalUsername(given, rule);
      usernameLookup(given, rule);
    });
  });
});

/** For each text, texts that look like it in many fonts. */
const twins: readonly (readonly string[])[] = [
  ['o', '0'],
  ['l', '1', 'i'],
  ['m', 'rn'],
  ['w', 'vv'],
  ['', '.', '_', '-'],
  // Only if a letter, or a digit that looks like a letter, follows.
  ['e', '3'],
  ['a', '4'],
  ['s', '5'],
  ['t', '7'],
  ['b', '8'],
];
const isLeet = ([, digit = '']: readonly string[]) => /[34578]/.test(digit);

test('usernames that look alike have the same skeleton', () => {
  // cspell:disable-next-line
  const unit = fc.constantFrom(...'abcdeilmnorstvwx0123456789._-');
  const username = fc.string({ unit, minLength: 3, maxLength: 12 });
  const pick = fc.nat(12);
  const replacements = fc.array(fc.tuple(fc.constantFrom(...twins), pick, pick, pick), { maxLength: 8 });
  forAll(
    [username, replacements],
    (given, chosen) => {
      let twin = given;
      for (const [group, from, first, second] of chosen) {
        const [text = '', other = ''] = [group[first % group.length], group[second % group.length]];
        const at = text === '' ? Math.min(from, twin.length) : twin.indexOf(text, from % twin.length);
        if (at < 0) continue;
        const rest = twin.slice(at + text.length);
        if (isLeet(group) && !/[a-z01]/.test(rest)) continue;
        twin = twin.slice(0, at) + other + rest;
      }
      expect([twin, skeletonOf(twin)]).toEqual([twin, skeletonOf(given)]);
    },
    3000,
  );
});
