import type { Overview, SuperadminSummary } from 'latchkey';
import { describe, expect, test } from 'vitest';
import { examineSuperadmins } from '../../../cli/doctor/superadmins.ts';

const safe = { status: 'active', passkeyCount: 2, hasPassword: false, recoveryCodesRemaining: 10 } as const;
const named = (username: string, changed: Partial<SuperadminSummary> = {}): SuperadminSummary => ({
  username,
  ...safe,
  ...changed,
});

const examine = (superadmins: SuperadminSummary[], bootstrap: Overview['bootstrap'] = 'done') =>
  examineSuperadmins({ superadmins, bootstrap } as Overview).map(({ level, message }) => [level, message]);

describe('for one of two active superadmins, the doctor', () => {
  test.each<[string, Partial<SuperadminSummary>, string[]]>([
    ['reports a single passkey without a password', { passkeyCount: 1 }, ['ada has only one passkey']],
    [
      'reports a single passkey even if the user has a password',
      { passkeyCount: 1, hasPassword: true },
      ['ada has only one passkey'],
    ],
    ['accepts two passkeys', { passkeyCount: 2 }, []],
    ['reports a password without a passkey', { passkeyCount: 0, hasPassword: true }, ['ada has no passkey']],
    ['reports missing recovery codes', { recoveryCodesRemaining: 0 }, ['ada has no recovery codes']],
    ['accepts one recovery code', { recoveryCodesRemaining: 1 }, []],
    [
      'reports two risks together',
      { passkeyCount: 1, recoveryCodesRemaining: 0 },
      ['ada has only one passkey', 'ada has no recovery codes'],
    ],
  ])('%s', (_, changed, risks) => {
    const expected = risks.length > 0 ? risks.map((risk) => ['warning', risk]) : [['ok', 'ada, grace']];
    expect(examine([named('ada', changed), named('grace')])).toEqual(expected);
  });
});

test('the doctor reports a single active superadmin, and ignores the risks of inactive superadmins', () => {
  const inactive = named('grace', { status: 'disabled', passkeyCount: 0, recoveryCodesRemaining: 0 });
  expect(examine([named('ada'), inactive])).toEqual([['warning', 'ada is the only active superadmin']]);
});

test('the doctor reports an error if no superadmin is active', () => {
  expect(examine([named('ada', { status: 'disabled' })])).toEqual([['error', 'no superadmin is active']]);
});
