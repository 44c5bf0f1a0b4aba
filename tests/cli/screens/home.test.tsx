import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { keys, openApp } from './support/open-app.tsx';
import { personOf } from './support/people.ts';

const safe = [personOf('ada', { role: 'superadmin' }), personOf('root', { role: 'superadmin' })];

describe('home', () => {
  it('tells of database, schema, superadmins and counts, and warns of nothing where all is well', async () => {
    const app = await openApp({ people: safe });
    expect(app.line('Database')).toContain('✓ latchkey@db:5432/app');
    expect(app.line('Schema')).toContain('✓ current, 3 migrations');
    expect(app.line('Superadmins')).toContain('✓ ada, root');
    expect(app.line('People')).toMatch(/2$/);
    expect(app.screen()).not.toContain('!');
  });

  it('warns of superadmins who may lock themselves out', async () => {
    const app = await openApp({
      people: [personOf('ada', { role: 'superadmin', passkeyCount: 1, recoveryCodesRemaining: 0 })],
    });
    expect(app.screen()).toContain('! Only 1 superadmin: nobody else could help ada back in.');
    expect(app.screen()).toContain('! 1 superadmin with a single passkey: ada');
    expect(app.screen()).toContain('! 1 superadmin without recovery codes: ada');
  });

  it('offers to bootstrap where there is no superadmin, and only there', async () => {
    const without = await openApp({ bootstrap: 'open' });
    expect(without.line('Bootstrap')).toContain('› b');
    const having = await openApp({ people: safe });
    expect(having.screen()).not.toContain('Bootstrap');
    await having.press('b');
    expect(having.line('Latchkey')).toContain('Home');
  });

  it('offers to bootstrap again where no active superadmin is left', async () => {
    const app = await openApp({ people: [personOf('ada', { role: 'superadmin', status: 'disabled' })] });
    expect(app.screen()).toContain('! No active superadmin is left: make a new one.');
    expect(app.screen()).toContain('b  Bootstrap');
  });

  it('opens screens by arrows, vi keys and letters, and comes back to where it was', async () => {
    const app = await openApp({ people: safe });
    await app.press(keys.down, 'j', keys.enter);
    expect(app.line('Latchkey')).toContain('Activity');
    await app.press(keys.escape);
    expect(app.line('Activity')).toContain('›');
    await app.press('u');
    expect(app.line('Latchkey')).toContain('Users');
    await app.press('h', 'k', 'l');
    expect(app.line('Latchkey')).toContain('Invitations');
  });

  it('shows every key on ?, which any key leaves', async () => {
    const app = await openApp({ people: safe });
    await app.press('?');
    expect(app.screen()).toContain('Any key goes back.');
    await app.press('q');
    expect(app.screen()).not.toContain('Any key goes back.');
    expect(app.hasQuit()).toBe(false);
  });

  it('quits on q, and on Ctrl-C from anywhere', async () => {
    const app = await openApp({ people: safe });
    await app.press('q');
    expect(app.hasQuit()).toBe(true);
    const other = await openApp({ people: safe });
    await other.press('i', 'n', keys.ctrlC);
    expect(other.hasQuit()).toBe(true);
  });

  it('reads again every five seconds, keeps what it knows while that fails, and recovers', async () => {
    const app = await openApp({ people: safe });
    expect(app.count('overview')).toBe(1);
    app.world.failure = new AuthError('unavailable');
    await app.clock.advance(5000);
    expect(app.screen()).toContain('! The database is unreachable. Retrying…');
    expect(app.line('Database')).toContain('✗');
    expect(app.line('Superadmins')).toContain('ada, root');
    app.world.failure = null;
    await app.clock.advance(5000);
    expect(app.count('overview')).toBe(3);
    expect(app.screen()).not.toContain('Retrying');
  });

  it('shows after 300 ms that it is still reading, and never asks twice at once', async () => {
    let open = () => {};
    const gate = new Promise<void>((done) => {
      open = done;
    });
    const app = await openApp({ people: safe, gate });
    expect(app.screen()).not.toContain('Reading');
    await app.clock.advance(300);
    expect(app.screen()).toContain('Reading…');
    await app.clock.advance(20_000);
    expect(app.screen()).toContain('The database is unreachable');
    expect(app.count('overview')).toBe(1);
    open();
    await app.clock.advance(0);
    expect(app.line('Superadmins')).toContain('ada, root');
  });

  it('keeps within 40 columns, and lets the menu stand where there are few lines', async () => {
    const app = await openApp({ people: safe }, { columns: 40, rows: 12 });
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen().split('\n').length).toBeLessThan(12);
    expect(app.screen()).toContain('d  Doctor');
  });

  it('stops reading when another screen is opened', async () => {
    const app = await openApp({ people: safe });
    await app.press('i');
    await app.clock.advance(20_000);
    expect(app.count('overview')).toBe(1);
  });
});
