import { describe, expect, test } from 'vitest';
import { includesEvent } from '../../src/webhooks/checks.ts';
import { afterFailure, retryAfterMsOf } from '../../src/webhooks/rules.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const failed = { fault: 'refused', status: 500, retryAfterMs: null } as const;

describe('after a failed attempt', () => {
  test('the pauses grow, and the last attempt is three days after the first', () => {
    const pauses: number[] = [];
    let failingMs = 0;
    for (let attempts = 1; ; attempts += 1) {
      const next = afterFailure(failed, { attempts, failingMs, random: 0 });
      if (next.state !== 'active') {
        expect(next).toEqual({ state: 'paused', reason: 'failing' });
        break;
      }
      pauses.push(next.pauseMs / 1000);
      failingMs += next.pauseMs;
    }
    expect(pauses.slice(0, 8)).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000]);
    expect(pauses.length).toBe(10);
    expect(failingMs).toBe(3 * day);
  });

  test('a pause varies by up to a tenth', () => {
    const longest = afterFailure(failed, { attempts: 2, failingMs: 0, random: 1 });
    expect(longest).toEqual({ state: 'active', pauseMs: 5.5 * minute });
  });

  test('the pause is at least as long as the receiver asks for, up to a day', () => {
    const asking = (retryAfterMs: number, attempts = 1) =>
      afterFailure({ ...failed, retryAfterMs }, { attempts, failingMs: 0, random: 0 });
    expect(asking(90_000)).toEqual({ state: 'active', pauseMs: 90_000 });
    expect(asking(10 * day)).toEqual({ state: 'active', pauseMs: day });
    expect(asking(1000, 2)).toEqual({ state: 'active', pauseMs: 5 * minute });
  });

  test('a receiver that asks for a long pause does not extend the three days of attempts', () => {
    const asking = { ...failed, retryAfterMs: 10 * day };
    const near = afterFailure(asking, { attempts: 5, failingMs: 3 * day - minute, random: 1 });
    expect(near).toEqual({ state: 'active', pauseMs: minute });
  });

  test('the status 410 disables the webhook at once', () => {
    const gone = { ...failed, status: 410 };
    expect(afterFailure(gone, { attempts: 1, failingMs: 0, random: 0 })).toEqual({
      state: 'disabled',
      reason: 'gone',
    });
  });
});

test.each([
  [undefined, null],
  ['120', 120_000],
  ['0', 0],
  ['-5', null],
  ['1e9', null],
  ['99999999999', null],
  ['soon', null],
  ['Thu, 01 Jan 2026 00:01:00 GMT', minute],
  ['Thu, 01 Jan 2025 00:00:00 GMT', 0],
])('the header Retry-After: %s asks for a pause of %s ms', (header, expected) => {
  expect(retryAfterMsOf(header, new Date('2026-01-01T00:00:00Z'))).toBe(expected);
});

test.each([
  [null, 'passkey.login', true],
  ['passkey.,session.revoke', 'passkey.login', true],
  ['passkey.,session.revoke', 'session.revoke', true],
  ['passkey.,session.revoke', 'session.revoke_others', false],
  ['passkey.', 'passkey_holder.add', false],
  // Only a later version of the package knows the name.
  ['passkey.', 'passkey.of_a_later_version', true],
])('whether the filter %s includes the event %s: %s', (filter, event, expected) => {
  expect(includesEvent(filter, event)).toBe(expected);
});
