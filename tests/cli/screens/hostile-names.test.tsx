import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { eventOf, invitationOf } from './support/fake-state.ts';
import { keys, openApp } from './support/open-app.tsx';
import { userOf } from './support/users.ts';

/**
 * Contains one character of each dangerous kind: terminal controls, text direction, line breaks and invisible
 * characters.
 */
const hostile =
  'a\u202eb\u2066c\u200fd\u061ce\u200bf\u0007g\u001b[2Jh\u009bi\nj\rk\tl\u2028m\u2029n\ufeffo\u00adp\u3164q\u{e0041}';
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const escaped = 'a\\u202eb\\u2066c';

const state = () => {
  const ada = userOf('ada', { role: 'superadmin', displayName: hostile });
  ada.sessions.push({
    id: 's-1',
    kind: 'full',
    method: 'passkey',
    createdAt: '2026-03-01T11:00:00Z',
    authenticatedAt: '2026-03-01T11:00:00Z',
    lastSeenAt: '2026-03-01T11:00:00Z',
    expiresAt: '2026-03-02T11:00:00Z',
    ip: '192.0.2.1',
    userAgent: hostile,
  } as never);
  const eve = userOf(hostile, { role: 'superadmin', passkeyCount: 1 });
  return {
    users: [eve, ada],
    invitations: [
      invitationOf({ id: 'i-1', username: hostile, createdBy: { id: 'u', username: hostile } as never }),
      invitationOf({
        id: 'i-2',
        status: 'accepted',
        acceptedBy: { id: 'u', username: hostile } as never,
        acceptedAt: '2026-03-01T11:00:00Z',
      }),
    ],
    events: [
      eventOf({
        id: 'e-1',
        actor: { type: 'anonymous', id: null, name: hostile },
        target: { type: 'organization', id: 'o-1', name: hostile },
        userAgent: hostile,
        details: { label: hostile, [hostile]: 'x' },
      }),
    ],
    checks: [
      { name: 'Superadmins', level: 'warning' as const, message: hostile, why: hostile, fix: hostile },
    ],
  };
};

/** Presses the keys. Expects no dangerous characters and no additional lines on the screen. */
async function openScreen(...pressed: string[]): Promise<string> {
  const app = await openApp(state(), { columns: 150, rows: 40 });
  await app.press(...pressed);
  const screen = app.screen();
  const lines = screen.split('\n');
  for (const line of lines) expect(line).not.toMatch(forbidden);
  expect(lines.length).toBeLessThanOrEqual(40);
  return screen;
}

describe('control characters in usernames', () => {
  test.each<[string, string[]]>([
    ['the home screen with warnings', []],
    ['the list of users', ['u']],
    ['the details of a user', ['u', keys.enter]],
    ['a search', ['u', '/', 'x\u202ey\u200b\u2066']],
    ['the result of a search', ['u', '/', 'a\u202eb', keys.enter]],
    ['the confirmation of a new role', ['u', keys.enter, 'r', 'j', keys.enter]],
    ['the confirmation of disabling', ['u', keys.enter, 'd']],
    ['the notice after disabling', ['u', keys.enter, 'd', 'y']],
    ['the confirmation of ending sessions', ['u', keys.enter, 's']],
    ['the confirmation of a recovery link', ['u', keys.enter, 'l']],
    ['a recovery link', ['u', keys.enter, 'l', 'y']],
    ['the confirmation of deletion', ['u', keys.enter, 'x']],
    ['the list of invitations', ['i']],
    ['the confirmation of a revocation', ['i', 'r']],
    ['the activity', ['a']],
    ['the details of an event', ['a', keys.enter]],
    ['a filter of the activity', ['a', '/', 'x\u202ey\u200b', keys.enter]],
    ['the doctor', ['d']],
  ])('are escaped in %s', async (_, pressed) => {
    await openScreen(...pressed);
  });

  test('are visible as escape codes', async () => {
    for (const pressed of [
      [],
      ['u'],
      ['u', keys.enter],
      ['u', keys.enter, 'd'],
      ['i'],
      ['a'],
      ['a', keys.enter],
    ])
      expect(await openScreen(...pressed)).toContain(escaped);
    expect(await openScreen('u', keys.down, keys.enter)).toContain(escaped);
    expect(await openScreen('d')).toContain(escaped);
  });
});

test('screens use the text component that escapes characters, not the text component of Ink', () => {
  const cli = fileURLToPath(new URL('../../../cli/', import.meta.url));
  const files = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const direct = files.filter((name) =>
    /import \{[^}]*\bText\b[^}]*\} from 'ink'/.test(readFileSync(`${cli}${name}`, 'utf8')),
  );
  // The QR code contains no usernames, and its line breaks must not be escaped.
  expect(direct.sort()).toEqual(['components/qr-code.tsx', 'components/text.tsx']);
});
