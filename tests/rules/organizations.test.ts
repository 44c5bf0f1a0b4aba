import { describe, expect, test } from 'vitest';
import { type MemberStanding, mayCeaseToBeAdmin, slugOf } from '../../src/organizations/rules.ts';

describe('a member may go or be demoted', () => {
  const last: MemberStanding = { role: 'admin', active: true, activeAdmins: 1 };
  test.each<[who: string, standing: MemberStanding, may: boolean]>([
    ['the last active admin', last, false],
    ['one of two active admins', { ...last, activeAdmins: 2 }, true],
    ['one of many', { ...last, activeAdmins: 20 }, true],
    ['a disabled admin beside an active one', { ...last, active: false }, true],
    ['a disabled admin where none is active', { ...last, active: false, activeAdmins: 0 }, true],
    ['a user beside the last admin', { ...last, role: 'user' }, true],
    ['a user where there is no admin', { ...last, role: 'user', activeAdmins: 0 }, true],
    ['a disabled user', { role: 'user', active: false, activeAdmins: 1 }, true],
    ['an active admin who was not counted', { ...last, activeAdmins: 0 }, false],
  ])('as %s: %o', (_, standing, may) => {
    expect(mayCeaseToBeAdmin(standing)).toBe(may);
  });
});

describe('the slug of', () => {
  test.each<[transliterated: string, slug: string | null]>([
    ['acme', 'acme'],
    ['ab', 'ab'],
    ['42', '42'],
    ['the-north-star', 'the-north-star'],
    ['x'.repeat(48), 'x'.repeat(48)],
    ['x'.repeat(49), 'x'.repeat(48)],
    [`${'x'.repeat(47)}-y`, 'x'.repeat(47)],
    [`${'x'.repeat(45)}---yz`, 'x'.repeat(45)],
    ['', null],
    ['a', null],
    ['-', null],
    ['---', null],
    [`a${'-'.repeat(60)}b`, null],
    ['Acme', null],
    ['ac_me', null],
    ['äh', null],
    ['ac\n', null],
  ])('%j is %j', (transliterated, slug) => {
    expect(slugOf(transliterated)).toBe(slug);
  });
});
