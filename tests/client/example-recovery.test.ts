import type { Passkey } from 'latchkey/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { consequenceOf, namesOf, nothingToKeep } from '../../examples/server/web/recovery/kept-ways.ts';
import { linkWords } from '../../examples/server/web/recovery/link-words.ts';
import { showEnglish } from '../support/english-messages.ts';

beforeAll(showEnglish);

const now = Date.parse('2026-11-22T14:05:00Z');
const times = { created: 'at 2:05 PM', start: '2:35 PM' };
const link = {
  createdBy: { id: 'u1', username: 'ada' },
  createdAt: '2026-11-22T14:05:00Z',
  usableAt: '2026-11-22T14:05:00Z',
  expiresAt: '2026-11-23T14:05:00Z',
  usedAt: null,
};

describe('the banner about a recovery link', () => {
  test('contains the creator of the link and the time of its creation', () => {
    expect(linkWords(link, times, now)).toBe(
      'ada created a recovery link for your account at 2:05 PM. If you did not ask for the link, cancel it.',
    );
  });

  test('says that an operator created the link', () => {
    expect(linkWords({ ...link, createdBy: null }, times, now)).toMatch(
      /^An operator of this service created a recovery link for your account at 2:05 PM\. /,
    );
  });

  test('contains the time at which the link starts to work', () => {
    const waiting = { ...link, usableAt: '2026-11-22T14:35:00Z' };
    expect(linkWords(waiting, times, now)).toContain(' The link works from 2:35 PM. ');
    expect(linkWords(waiting, times, Date.parse(waiting.usableAt))).not.toContain('The link works from');
  });

  test.each([
    [link.createdBy, 'ada'],
    [null, 'an operator of this service'],
  ])('says that the link is being used, and shows the creator %j as “%s”', (createdBy, creator) => {
    const words = linkWords({ ...link, createdBy, usedAt: '2026-11-22T14:06:00Z' }, times, now);
    expect(words).toBe(
      `The recovery link that ${creator} created for your account at 2:05 PM is being used right now. If you are not using the link, cancel it to end the recovery.`,
    );
  });
});

describe('the choice of sign-in methods to keep', () => {
  const passkey = (label: string): Passkey => ({
    id: label,
    label,
    provider: null,
    aaguid: '00000000-0000-0000-0000-000000000000',
    attested: false,
    transports: ['internal'],
    backupEligible: true,
    backedUp: true,
    createdAt: '2026-01-02T03:04:05Z',
    lastUsedAt: null,
    lastUsedIp: null,
    lastUsedUserAgent: null,
    current: false,
  });
  const [mac, phone, key] = [passkey('MacBook'), passkey('Phone'), passkey('Security key')];
  const ways = (kept: Passkey[], removed: Passkey[], keepsPassword: boolean | null) => ({
    keptPasskeys: kept,
    removedPasskeys: removed,
    keepsPassword,
  });

  test.each([
    ['You keep nothing. 1 passkey is removed.', ways([], [mac], null)],
    ['You keep nothing. The password is removed.', ways([], [], false)],
    ['You keep nothing. 3 passkeys and the password are removed.', ways([], [mac, phone, key], false)],
    ['You keep 1 passkey. 2 passkeys and the password are removed.', ways([mac], [phone, key], false)],
    ['You keep the password. 1 passkey is removed.', ways([], [mac], true)],
    ['You keep 2 passkeys. The password is removed.', ways([mac, key], [], false)],
    ['You keep everything: 1 passkey and the password.', ways([mac], [], true)],
  ])('shows: %s', (words, kept) => {
    expect(consequenceOf(kept)).toBe(words);
  });

  test('lists the names of passkeys and the password', () => {
    expect(namesOf([mac, phone], true)).toBe('MacBook, Phone and the password');
    expect(namesOf([key], false)).toBe('Security key');
    expect(namesOf([], false)).toBe('');
  });

  test('is empty for an account without sign-in methods', () => {
    expect(nothingToKeep).toEqual(ways([], [], null));
  });
});
