import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { keys, openApp } from './support/open-app.tsx';
import { personOf } from './support/people.ts';
import { eventOf, invitationOf } from './support/world.ts';

/** Every kind of character that steers a terminal, turns a line around, breaks it, or stays invisible. */
const hostile =
  'a\u202eb\u2066c\u200fd\u061ce\u200bf\u0007g\u001b[2Jh\u009bi\nj\rk\tl\u2028m\u2029n\ufeffo\u00adp\u3164q\u{e0041}';
const forbidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
const seen = 'a\\u202eb\\u2066c';

const world = () => {
  const ada = personOf('ada', { role: 'superadmin', displayName: hostile });
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
  const eve = personOf(hostile, { role: 'superadmin', passkeyCount: 1 });
  return {
    people: [eve, ada],
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
      { name: 'Superadmins', level: 'warning' as const, message: hostile, why: hostile, mend: hostile },
    ],
  };
};

/** Opens a screen by these keys and looks at it: nothing forbidden is on it, and every row is one row. */
async function look(...pressed: string[]): Promise<string> {
  const app = await openApp(world(), { columns: 150, rows: 40 });
  await app.press(...pressed);
  const screen = app.screen();
  const lines = screen.split('\n');
  for (const line of lines) expect(line).not.toMatch(forbidden);
  expect(lines.length).toBeLessThanOrEqual(40);
  return screen;
}

describe('no name from a user steers the terminal', () => {
  test.each<[string, string[]]>([
    ['home, with its warnings', []],
    ['the list of users', ['u']],
    ['a user whose username is hostile', ['u', keys.enter]],
    ['a search', ['u', '/', 'x\u202ey\u200b\u2066']],
    ['the result of a search', ['u', '/', 'a\u202eb', keys.enter]],
    ['the question before a role', ['u', keys.enter, 'r', 'j', keys.enter]],
    ['the question before disabling', ['u', keys.enter, 'd']],
    ['the answer after disabling', ['u', keys.enter, 'd', 'y']],
    ['the question before ending sessions', ['u', keys.enter, 's']],
    ['the question before a recovery link', ['u', keys.enter, 'l']],
    ['a recovery link', ['u', keys.enter, 'l', 'y']],
    ['the question before deletion', ['u', keys.enter, 'x']],
    ['the list of invitations', ['i']],
    ['the question before a revocation', ['i', 'r']],
    ['the activity', ['a']],
    ['the details of an event', ['a', keys.enter]],
    ['a filter of the activity', ['a', '/', 'x\u202ey\u200b', keys.enter]],
    ['the doctor', ['d']],
  ])('on %s', async (_, pressed) => {
    await look(...pressed);
  });

  test('and every one is visible as an escape', async () => {
    for (const pressed of [
      [],
      ['u'],
      ['u', keys.enter],
      ['u', keys.enter, 'd'],
      ['i'],
      ['a'],
      ['a', keys.enter],
    ])
      expect(await look(...pressed)).toContain(seen);
    expect(await look('u', keys.down, keys.enter)).toContain(seen);
    expect(await look('d')).toContain(seen);
  });
});

test('screens write through the text component that neutralizes, and none past it', () => {
  const cli = fileURLToPath(new URL('../../../cli/', import.meta.url));
  const files = readdirSync(cli, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.tsx'),
  );
  const direct = files.filter((name) =>
    /import \{[^}]*\bText\b[^}]*\} from 'ink'/.test(readFileSync(`${cli}${name}`, 'utf8')),
  );
  // The QR code is our own, and has lines.
  expect(direct.sort()).toEqual(['components/qr-code.tsx', 'components/text.tsx']);
});
