import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { allFeatures } from '../../../cli/features.ts';
import { keys, openApp } from './support/open-app.tsx';
import { userOf } from './support/users.ts';

const safe = [userOf('ada', { role: 'superadmin' }), userOf('root', { role: 'superadmin' })];

describe('the home screen', () => {
  it('shows the database, the schema, the superadmins and counts, and shows warnings only for problems', async () => {
    const app = await openApp({ users: safe });
    expect(app.line('Database')).toContain('✓ latchkey@db:5432/app');
    expect(app.line('Schema')).toContain('✓ up to date, 3 migrations');
    expect(app.line('Superadmins')).toContain('✓ ada, root');
    expect(app.line('Users')).toMatch(/2$/);
    expect(app.screen()).not.toContain('!');
  });

  it('says whether a newer schema is compatible, and warns only if it is not', async () => {
    const newer = { applied: [1, 2, 3, 4], pending: [], breaking: [], newer: [4] };
    const compatible = await openApp({ users: safe, schema: { ...newer, problem: null } });
    expect(compatible.line('Schema')).toContain(
      '✓ newer than this version of Latchkey, compatible (version 4)',
    );
    expect(compatible.screen()).not.toContain('!');
    const incompatible = await openApp({ users: safe, schema: { ...newer, problem: 'newer' } });
    expect(incompatible.line('Schema')).toContain('✗ newer than this version of Latchkey, not compatible');
    expect(incompatible.line('!')).toContain('! A newer version of Latchkey migrated this database');
  });

  it('shows warnings about superadmins who could lose access', async () => {
    const app = await openApp({
      users: [userOf('ada', { role: 'superadmin', passkeyCount: 1, recoveryCodesRemaining: 0 })],
    });
    expect(app.screen()).toContain('! ada is the only active superadmin. Make another user a superadmin.');
    expect(app.screen()).toContain('! 1 superadmin with only one passkey: ada');
    expect(app.screen()).toContain('! 1 superadmin without recovery codes: ada');
  });

  it('offers a bootstrap if no superadmin exists, but offers none if a superadmin is active', async () => {
    const without = await openApp({ bootstrap: 'open' });
    expect(without.line('Bootstrap')).toContain('› b');
    const having = await openApp({ users: safe });
    expect(having.screen()).not.toContain('Bootstrap');
    await having.press('b');
    expect(having.line('Latchkey')).toContain('Home');
  });

  it('offers a bootstrap if the only superadmin is disabled', async () => {
    const app = await openApp({ users: [userOf('ada', { role: 'superadmin', status: 'disabled' })] });
    expect(app.screen()).toContain('! No superadmin is active. Press b to create a new one.');
    expect(app.screen()).toContain('b  Bootstrap');
  });

  it('opens screens with arrow keys, vi keys and letters, and remembers the selection', async () => {
    const app = await openApp({ users: safe });
    await app.press(keys.down, 'j', keys.enter);
    expect(app.line('Latchkey')).toContain('Activity');
    await app.press(keys.escape);
    expect(app.line('Activity')).toContain('›');
    await app.press('u');
    expect(app.line('Latchkey')).toContain('Users');
    await app.press('h', 'k', 'l');
    expect(app.line('Latchkey')).toContain('Invitations');
  });

  it('shows neither facts nor menu entries of features that are switched off', async () => {
    const withAll = await openApp({ users: safe });
    expect(withAll.line('Organizations')).not.toBe('');
    expect(withAll.line('i  Invitations')).toContain('invite admins, see who accepted');
    const features = { ...allFeatures, organizations: false, adminInvitations: false };
    const onlyUserInvitations = await openApp({ users: safe, features });
    expect(onlyUserInvitations.screen()).not.toContain('Organizations');
    expect(onlyUserInvitations.line('i  Invitations')).toContain('see who accepted, revoke invitations');
    const none = await openApp({ users: safe, features: { ...features, invitations: false } });
    expect(none.screen()).not.toContain('Invitations');
    await none.press('i');
    expect(none.line('Latchkey')).toContain('Home');
  });

  it('shows all keys after ? is pressed, and hides them after any key is pressed', async () => {
    const app = await openApp({ users: safe });
    await app.press('?');
    expect(app.screen()).toContain('any key go back');
    await app.press('q');
    expect(app.screen()).not.toContain('any key go back');
    expect(app.hasQuit()).toBe(false);
  });

  it('quits when q is pressed; Ctrl-C quits on any screen', async () => {
    const app = await openApp({ users: safe });
    await app.press('q');
    expect(app.hasQuit()).toBe(true);
    const other = await openApp({ users: safe });
    await other.press('i', 'n', keys.ctrlC);
    expect(other.hasQuit()).toBe(true);
  });

  it('polls every five seconds, keeps the last result during errors, and recovers', async () => {
    const app = await openApp({ users: safe });
    expect(app.count('overview')).toBe(1);
    app.state.failure = new AuthError('unavailable');
    await app.clock.advance(5000);
    expect(app.screen()).toContain('! The database is unreachable. Retrying…');
    expect(app.line('Database')).toContain('✗');
    expect(app.line('Superadmins')).toContain('ada, root');
    app.state.failure = null;
    await app.clock.advance(5000);
    expect(app.count('overview')).toBe(3);
    expect(app.screen()).not.toContain('Retrying');
  });

  it('shows after 300 ms that the screen is loading, and sends only one request at a time', async () => {
    let open = () => {};
    const gate = new Promise<void>((done) => {
      open = done;
    });
    const app = await openApp({ users: safe, gate });
    expect(app.screen()).not.toContain('Loading');
    await app.clock.advance(300);
    expect(app.screen()).toContain('Loading…');
    await app.clock.advance(20_000);
    expect(app.screen()).toContain('The database is unreachable');
    expect(app.count('overview')).toBe(1);
    open();
    await app.clock.advance(0);
    expect(app.line('Superadmins')).toContain('ada, root');
  });

  it('fits into 40 columns, and shows the menu even if the terminal has few lines', async () => {
    const app = await openApp({ users: safe }, { columns: 40, rows: 12 });
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen().split('\n').length).toBeLessThan(12);
    expect(app.screen()).toContain('d  Doctor');
  });

  it('stops polling when another screen is open', async () => {
    const app = await openApp({ users: safe });
    await app.press('i');
    await app.clock.advance(20_000);
    expect(app.count('overview')).toBe(1);
  });
});
