import { describe, expect, test } from 'vitest';
import { canLoseAdminRole, type MemberState, slugOf } from '../../src/organizations/rules.ts';

describe('whether a member can leave, be removed or be demoted:', () => {
  const last: MemberState = { role: 'admin', active: true, activeAdmins: 1 };
  test.each<[who: string, state: MemberState, allowed: boolean]>([
    ['the last active organization admin', last, false],
    ['one of two active organization admins', { ...last, activeAdmins: 2 }, true],
    ['one of twenty active organization admins', { ...last, activeAdmins: 20 }, true],
    ['a disabled organization admin, while another admin is active', { ...last, active: false }, true],
    [
      'a disabled organization admin, while no admin is active',
      { ...last, active: false, activeAdmins: 0 },
      true,
    ],
    ['a member, while one admin is active', { ...last, role: 'user' }, true],
    ['a member, while no admin is active', { ...last, role: 'user', activeAdmins: 0 }, true],
    ['a disabled member, while one admin is active', { role: 'user', active: false, activeAdmins: 1 }, true],
    ['an active organization admin, while an outdated count is zero', { ...last, activeAdmins: 0 }, false],
  ])('%s (state: %j): %s', (_, state, allowed) => {
    expect(canLoseAdminRole(state)).toBe(allowed);
  });
});

describe('slugOf', () => {
  test.each<[transliterated: string, slug: string | null]>([
    ['acme', 'acme'],
    ['ab', 'ab'],
    ['42', '42'],
    ['the-north-star', 'the-north-star'],
    ['x'.repeat(48), 'x'.repeat(48)],
    ['x'.repeat(49), 'x'.repeat(48)],
    [`${'x'.repeat(47)}-y`, 'x'.repeat(47)],
    [`${'x'.repeat(45)}---yz`, 'x'.repeat(45)],
    // A long name is cut at the end of a word.
    [
      'royal-institution-for-analytical-and-difference-engines',
      'royal-institution-for-analytical-and-difference',
    ],
    [`${'x'.repeat(24)}-${'y'.repeat(23)}`, `${'x'.repeat(24)}-${'y'.repeat(23)}`],
    [`${'x'.repeat(24)}-${'y'.repeat(23)}-z`, `${'x'.repeat(24)}-${'y'.repeat(23)}`],
    [`${'x'.repeat(24)}-${'y'.repeat(24)}`, 'x'.repeat(24)],
    // Here, the cut at a word would lose more than half of the characters.
    [`die-${'x'.repeat(60)}`, `die-${'x'.repeat(44)}`],
    ['', null],
    ['a', null],
    ['-', null],
    ['---', null],
    [`a${'-'.repeat(60)}b`, null],
    ['Acme', null],
    ['ac_me', null],
    ['äh', null],
    ['ac\n', null],
  ])('%j becomes %j', (transliterated, slug) => {
    expect(slugOf(transliterated)).toBe(slug);
  });
});
