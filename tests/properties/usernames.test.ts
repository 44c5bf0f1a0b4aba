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
const twins: readonly [string, readonly string[]][] = [
  ['o', ['0']],
  ['l', ['1', 'i']],
  ['m', ['rn']],
  ['w', ['vv']],
  ['', ['.', '_', '-']],
];

test('a username whose characters are replaced by look-alikes has the same skeleton', () => {
  // cspell:disable-next-line
  const letters = fc.string({ unit: fc.constantFrom(...'abcdlmnorvw'), minLength: 3, maxLength: 12 });
  const replacements = fc.array(fc.tuple(fc.constantFrom(...twins), fc.nat(12), fc.nat(2)), { maxLength: 6 });
  forAll(
    [letters, replacements],
    (username, chosen) => {
      let twin = username;
      for (const [[plain, others], from, which] of chosen) {
        const at = plain === '' ? Math.min(from, twin.length) : twin.indexOf(plain, from);
        if (at >= 0) twin = twin.slice(0, at) + others[which % others.length] + twin.slice(at + plain.length);
      }
      expect([twin, skeletonOf(twin)]).toEqual([twin, skeletonOf(username)]);
    },
    1000,
  );
});
