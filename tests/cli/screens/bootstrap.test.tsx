import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { keys, openApp } from './support/open-app.tsx';
import { userOf } from './support/users.ts';

const good = 'correct horse battery';

const openWith = async (way: 'passkey' | 'password', given = {}, size = {}) => {
  const app = await openApp({ bootstrap: 'open', ...given }, size);
  await app.press('b', ...(way === 'password' ? ['j'] : []), keys.enter);
  return app;
};

describe('the bootstrap screen', () => {
  it('says after a pause in typing whether a username is available', async () => {
    const app = await openWith('passkey', { users: [userOf('ada')] });
    await app.press('ada');
    expect(app.count('checkUsername')).toBe(0);
    await app.clock.advance(250);
    expect(app.line('Username')).toContain('✗ taken');
    await app.press('m');
    await app.clock.advance(250);
    expect(app.line('Username')).toContain('✓ available');
    expect(app.count('checkUsername')).toBe(2);
  });

  it('creates a superadmin with a password and lists the next steps', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, good, keys.enter, good, keys.enter);
    expect(app.state.calls).toContainEqual(['bootstrap', { username: 'ada', password: good }]);
    expect(app.screen()).toContain('✓ ada is a superadmin.');
    expect(app.screen()).toContain('1. Sign in at https://example.com as ada.');
    await app.press(keys.enter);
    expect(app.line('Latchkey')).toContain('Home');
  });

  it('masks the password and estimates its strength', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, 'short');
    expect(app.line('Password')).toContain('•••••');
    expect(app.line('Password')).toContain('too short: 3 more');
    await app.press(' no longer, really');
    expect(app.line('Password')).toContain('estimate: strong');
    expect(app.screen()).not.toContain('longer, r');
  });

  it('accepts pasted text with line breaks', async () => {
    const app = await openWith('password');
    await app.press(`ada\r${good}\r${good}\r`);
    expect(app.state.calls).toContainEqual(['bootstrap', { username: 'ada', password: good }]);
  });

  it('rejects a short password and two different passwords without calling the service', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, 'seven..', keys.enter);
    expect(app.screen()).toContain('✗ Use at least 8 characters.');
    await app.press('.', keys.enter, 'eight...x', keys.enter);
    expect(app.screen()).toContain('✗ The passwords differ.');
    expect(app.count('bootstrap')).toBe(0);
  });

  it('shows why the service rejects a password and keeps the username', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, 'password', keys.enter, 'password', keys.enter);
    expect(app.screen()).toContain('✗ This password is too common.');
    expect(app.line('Username')).toContain('ada');
    expect(app.line('Password')).not.toContain('•');
    await app.press(good, keys.enter, good, keys.enter);
    expect(app.screen()).toContain('✓ ada is a superadmin.');
  });

  it('creates nothing if the operator leaves the screen, even while the username is being checked', async () => {
    let release = () => {};
    const app = await openWith('passkey');
    app.state.gate = new Promise((done) => {
      release = done;
    });
    await app.press('ada', keys.enter, keys.escape);
    release();
    await app.clock.advance(1000);
    expect(app.count('bootstrap')).toBe(0);
    expect(app.screen()).toContain('How will the superadmin sign in?');
  });

  it('shows a link, and shows a confirmation when the superadmin adds the passkey', async () => {
    const app = await openWith('passkey');
    await app.press('ada', keys.enter);
    expect(app.state.calls).toContainEqual(['bootstrap', { username: 'ada' }]);
    expect(app.screen()).toContain('https://example.com/recover#token=t');
    expect(app.screen()).toContain('Waiting for ada to add a passkey');
    await app.press('r');
    expect(app.screen()).toContain('█▀▀▀▀▀▀▀█');
    const [ada] = app.state.users;
    if (ada) ada.user.passkeyCount = 1;
    await app.clock.advance(1000);
    expect(app.screen()).toContain('✓ ada has added a passkey.');
  });

  it('says that the link has expired and stops polling', async () => {
    const app = await openWith('passkey', { linksExpireAt: '2026-03-01T12:00:05Z' });
    await app.press('ada', keys.enter);
    await app.clock.advance(4000);
    expect(app.screen()).toContain('Waiting for ada');
    await app.clock.advance(2000);
    expect(app.screen()).toContain('✗ The link has expired.');
    const requests = app.count('users.get');
    await app.clock.advance(10_000);
    expect(app.count('users.get')).toBe(requests);
  });

  it('accepts the username of a superadmin who never signed in', async () => {
    const never = userOf('ada', { role: 'superadmin', passkeyCount: 0 });
    const app = await openWith('passkey', { bootstrap: 'unfinished', users: [never] });
    await app.press('ada');
    await app.clock.advance(250);
    expect(app.line('Username')).toContain('✓ can be used again');
    await app.press(keys.enter);
    expect(app.count('bootstrap')).toBe(1);
  });

  it('creates a superadmin with the option `again` if no superadmin is active', async () => {
    const gone = userOf('ada', { role: 'superadmin', status: 'disabled' });
    const app = await openWith('passkey', { bootstrap: 'done', users: [gone] });
    await app.press('eve', keys.enter);
    expect(app.state.calls).toContainEqual(['bootstrap', { username: 'eve', again: true }]);
  });

  it('shows an error and a next step if another operator has already created the first superadmin', async () => {
    const app = await openWith('passkey');
    await app.press('ada');
    await app.clock.advance(250);
    app.state.failure = new AuthError('already_bootstrapped');
    await app.press(keys.enter);
    expect(app.screen()).toContain('✗ The first superadmin was already created. List superadmins');
  });

  it('fits into 40 columns', async () => {
    const app = await openWith('password', {}, { columns: 40 });
    await app.press('a-long-name-of-a-user', keys.enter, good);
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen()).toContain('Repeat');
  });
});
