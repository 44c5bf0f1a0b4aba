import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { invitationOf } from './support/fake-state.ts';
import { keys, openApp } from './support/open-app.tsx';

const open = async (ids: string[], size = {}) => {
  const app = await openApp({ invitations: ids.map((id) => invitationOf({ id })) }, size);
  await app.press('i');
  return app;
};

describe('the invitations screen', () => {
  it('shows the recipient and the status of each invitation', async () => {
    const app = await openApp({
      invitations: [
        invitationOf({ id: 'ada' }),
        invitationOf({ id: '2', username: null, status: 'expired', expiresAt: '2026-03-01T10:00:00Z' }),
        invitationOf({
          id: 'eve',
          status: 'accepted',
          acceptedBy: { id: 'u-eve', username: 'eve' },
          acceptedAt: '2026-03-01T11:58:00Z',
        }),
      ],
    });
    await app.press('i');
    expect(app.line('ada')).toMatch(/○ pending\s+expires in 72 h/);
    expect(app.line('anyone with the link')).toMatch(/– expired\s+2 h ago/);
    expect(app.line('by eve')).toMatch(/eve\s+✓ accepted\s+by eve, 2 min ago/);
  });

  it('shows, without a key press, that an invitation was accepted', async () => {
    const app = await open(['ada']);
    app.state.invitations = [
      invitationOf({ id: 'ada', status: 'accepted', acceptedAt: '2026-03-01T12:00:00Z' }),
    ];
    await app.clock.advance(1000);
    expect(app.line('› ada')).toContain('✓ accepted');
  });

  it('invites a user, shows the link only once and copies the link to the clipboard', async () => {
    const app = await open([]);
    await app.press('n', 'grace', keys.tab, keys.backspace, keys.backspace, '24', keys.enter);
    expect(app.state.calls).toContainEqual(['invitations.create', { username: 'grace', expiresInHours: 24 }]);
    expect(app.screen()).toContain('https://example.com/invitation#token=secret');
    expect(app.line('○ pending')).toContain('› grace');
    await app.press('c');
    const copied = Buffer.from('https://example.com/invitation#token=secret').toString('base64');
    expect(app.written()).toContain(`\x1b]52;c;${copied}\x07`);
    await app.press(keys.escape);
    expect(app.screen()).not.toContain('#token=');
  });

  it('shows that the invitation was accepted, even while the link is visible', async () => {
    const app = await open([]);
    await app.press('n', 'grace', keys.enter);
    const [made] = app.state.invitations;
    app.state.invitations = made
      ? [{ ...made, status: 'accepted', acceptedBy: { id: 'u', username: 'grace' } }]
      : [];
    await app.clock.advance(1000);
    expect(app.screen()).toContain('✓ Accepted by grace.');
  });

  it('creates an invitation for anyone with the link if the username is empty', async () => {
    const app = await open([]);
    await app.press('n', keys.enter);
    expect(app.state.calls).toContainEqual(['invitations.create', { expiresInHours: 72 }]);
    expect(app.screen()).toMatch(/Invitation link for anyone(?! with)/);
  });

  it('shows a QR code below the list if the code fits; otherwise, pressing r shows only the code', async () => {
    const large = await open([], { columns: 100, rows: 40 });
    await large.press('n', keys.enter);
    expect(large.screen()).toContain('█▀▀▀▀▀▀▀█');
    expect(large.screen()).toContain('○ pending');
    const small = await open([]);
    await small.press('n', keys.enter);
    expect(small.screen()).not.toContain('█▀▀▀▀▀▀▀█');
    await small.press('r');
    expect(small.screen()).toContain('█▀▀▀▀▀▀▀█');
    await small.press(keys.escape);
    expect(small.screen()).toContain('#token=secret');
  });

  it('shows beside the field that the hours are invalid', async () => {
    const app = await open([]);
    await app.press('n', keys.down, '1', keys.enter);
    expect(app.screen()).toContain('✗ enter a whole number from 1 to 720');
    expect(app.count('invitations.create')).toBe(0);
  });

  it('shows why the service rejected the invitation, and keeps the input', async () => {
    const app = await open([]);
    app.state.failure = new AuthError('role_already_held');
    await app.press('n', 'grace', keys.enter);
    expect(app.screen()).toContain('✗ This account already has that role or a higher one.');
    expect(app.screen()).toContain('Username   grace');
  });

  it('shows a confirmation with the recipient, and revokes the invitation only if y is pressed', async () => {
    const app = await open(['ada', 'eve']);
    await app.press(keys.down, 'r');
    expect(app.screen()).toContain('Revoke the invitation for eve?');
    await app.press(keys.enter, 'n');
    expect(app.count('invitations.revoke')).toBe(0);
    await app.press('r', 'y');
    expect(app.state.calls).toContainEqual(['invitations.revoke', 'eve']);
    expect(app.line('› eve')).toContain('✗ revoked');
    expect(app.screen()).toContain('✓ Revoked the invitation for eve.');
  });

  it('keeps the selection on the same invitation when new invitations are added', async () => {
    const app = await open(['ada', 'eve']);
    await app.press('j');
    app.state.invitations.unshift(invitationOf({ id: 'new' }));
    await app.clock.advance(1000);
    expect(app.line('eve')).toContain('›');
    await app.press('r');
    expect(app.screen()).toContain('Revoke the invitation for eve?');
  });

  it('filters by status and searches by username; esc clears the filter and the search', async () => {
    const app = await open(['ada', 'eve']);
    await app.press('f');
    expect(app.line('Latchkey')).toContain('Invitations · pending');
    expect(app.state.calls.at(-1)).toEqual(['invitations.list', 'pending']);
    await app.press('/', 'ev', keys.enter);
    expect(app.screen()).not.toContain('ada');
    await app.press(keys.escape);
    expect(app.screen()).toContain('ada');
    expect(app.line('Latchkey')).not.toContain('pending');
  });

  it('loads the next page when the selection reaches the end', async () => {
    const ids = Array.from({ length: 90 }, (_, index) => `found-${index}`);
    const app = await open(ids);
    await app.press('G', 'G');
    expect(app.line('found-89')).toContain('›');
    await app.press('g');
    expect(app.line('found-0 ')).toContain('›');
  });

  it('says that the database is unreachable and that the screen keeps trying to load the list', async () => {
    const app = await open(['ada']);
    app.state.failure = new AuthError('unavailable');
    await app.clock.advance(1000);
    expect(app.screen()).toContain('! The database is unreachable. Retrying…');
    expect(app.line('ada')).toContain('pending');
  });

  it('fits into 40 columns', async () => {
    const app = await open(['ada'], { columns: 40 });
    await app.press('n', 'a-rather-long-username', keys.enter);
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
  });
});
