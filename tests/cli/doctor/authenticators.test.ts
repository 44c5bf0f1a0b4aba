import { expect, test } from 'vitest';
import { examineAuthenticators } from '../../../cli/doctor/authenticators.ts';

const none = { users: [], total: 0, shutOut: 0, checkSignIns: false };
const current = { models: 300, number: 120, nextUpdate: '2026-12-01', isStale: false, fault: null };

test('the doctor says nothing about authenticators if the service has no policy and no metadata', () => {
  expect(examineAuthenticators(none, null)).toEqual([]);
});

test('the doctor warns about users who could not sign in with checkSignIns', () => {
  expect(examineAuthenticators({ ...none, total: 3, shutOut: 2 }, null)).toMatchObject([
    {
      level: 'warning',
      message:
        '3 users with passkeys that the option authenticators excludes; with checkSignIns, 2 of them could not sign in',
      fix: 'List them with: latchkey policy test',
    },
  ]);
});

test('the doctor reports an error if users cannot sign in because of the policy', () => {
  expect(examineAuthenticators({ ...none, total: 3, shutOut: 2, checkSignIns: true }, null)).toMatchObject([
    { level: 'error', message: expect.stringContaining('2 of them cannot sign in') },
  ]);
});

test.each([
  [current, 'ok', 'number 120 with 300 models, until 2026-12-01'],
  [{ ...current, isStale: true }, 'warning', 'the metadata should have been replaced on 2026-12-01'],
  [
    { ...current, number: null, isStale: true, fault: 'the server answered 503' },
    'error',
    'the metadata cannot be read: the server answered 503',
  ],
])('the doctor reports the state of the metadata: %#', (metadata, level, message) => {
  expect(examineAuthenticators(none, metadata)).toMatchObject([{ level, message }]);
});
