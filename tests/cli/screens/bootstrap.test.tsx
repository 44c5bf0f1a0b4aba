import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { keys, openApp } from './support/open-app.tsx';
import { personOf } from './support/people.ts';

const good = 'correct horse battery';

const openWith = async (way: 'passkey' | 'password', given = {}, size = {}) => {
  const app = await openApp({ bootstrap: 'open', ...given }, size);
  await app.press('b', ...(way === 'password' ? ['j'] : []), keys.enter);
  return app;
};

describe('bootstrap', () => {
  it('says whether a username is free once nobody has typed for a moment', async () => {
    const app = await openWith('passkey', { people: [personOf('ada')] });
    await app.press('ada');
    expect(app.count('checkUsername')).toBe(0);
    await app.clock.advance(250);
    expect(app.line('Username')).toContain('✗ taken');
    await app.press('m');
    await app.clock.advance(250);
    expect(app.line('Username')).toContain('✓ free');
    expect(app.count('checkUsername')).toBe(2);
  });

  it('makes a superadmin with a password that was typed twice, and says what to do next', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, good, keys.enter, good, keys.enter);
    expect(app.world.calls).toContainEqual(['bootstrap', { username: 'ada', password: good }]);
    expect(app.screen()).toContain('✓ ada is superadmin.');
    expect(app.screen()).toContain('1. Sign in at https://example.com as ada.');
    await app.press(keys.enter);
    expect(app.line('Latchkey')).toContain('Home');
  });

  it('never shows the password, and says how strong it seems', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, 'short');
    expect(app.line('Password')).toContain('•••••');
    expect(app.line('Password')).toContain('too short: 3 more');
    await app.press(' no longer, really');
    expect(app.line('Password')).toContain('strong, by length and variety');
    expect(app.screen()).not.toContain('longer, r');
  });

  it('takes text that comes all at once for what was typed', async () => {
    const app = await openWith('password');
    await app.press(`ada\r${good}\r${good}\r`);
    expect(app.world.calls).toContainEqual(['bootstrap', { username: 'ada', password: good }]);
  });

  it('refuses fewer than 8 characters, and two that differ, before anybody is asked', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, 'seven..', keys.enter);
    expect(app.screen()).toContain('✗ A password has 8 characters at least.');
    await app.press('.', keys.enter, 'eight...x', keys.enter);
    expect(app.screen()).toContain('✗ The two passwords differ.');
    expect(app.count('bootstrap')).toBe(0);
  });

  it('tells in the words of the service why a password will not do, and keeps the username', async () => {
    const app = await openWith('password');
    await app.press('ada', keys.enter, 'password', keys.enter, 'password', keys.enter);
    expect(app.screen()).toContain('✗ This is one of the passwords that are tried first.');
    expect(app.line('Username')).toContain('ada');
    expect(app.line('Password')).not.toContain('•');
    await app.press(good, keys.enter, good, keys.enter);
    expect(app.screen()).toContain('✓ ada is superadmin.');
  });

  it('makes nothing where it is left, also while the username is being looked up', async () => {
    let release = () => {};
    const app = await openWith('passkey');
    app.world.gate = new Promise((done) => {
      release = done;
    });
    await app.press('ada', keys.enter, keys.escape);
    release();
    await app.clock.advance(1000);
    expect(app.count('bootstrap')).toBe(0);
    expect(app.screen()).toContain('How shall the superadmin come in?');
  });

  it('shows a link for a passkey, waits, and greets the moment it is there', async () => {
    const app = await openWith('passkey');
    await app.press('ada', keys.enter);
    expect(app.world.calls).toContainEqual(['bootstrap', { username: 'ada' }]);
    expect(app.screen()).toContain('https://example.com/recover#token=t');
    expect(app.screen()).toContain('Waiting for ada to register a passkey');
    await app.press('r');
    expect(app.screen()).toContain('█▀▀▀▀▀▀▀█');
    const [ada] = app.world.people;
    if (ada) ada.user.passkeyCount = 1;
    await app.clock.advance(1000);
    expect(app.screen()).toContain('✓ Welcome, ada: your passkey is registered.');
  });

  it('says when the link has expired, and asks no more', async () => {
    const app = await openWith('passkey', { linksExpireAt: '2026-03-01T12:00:05Z' });
    await app.press('ada', keys.enter);
    await app.clock.advance(4000);
    expect(app.screen()).toContain('Waiting for ada');
    await app.clock.advance(2000);
    expect(app.screen()).toContain('✗ The link has expired.');
    const asked = app.count('users.inspect');
    await app.clock.advance(10_000);
    expect(app.count('users.inspect')).toBe(asked);
  });

  it('lets a superadmin who never came in keep their name', async () => {
    const never = personOf('ada', { role: 'superadmin', passkeyCount: 0 });
    const app = await openWith('passkey', { bootstrap: 'unfinished', people: [never] });
    await app.press('ada');
    await app.clock.advance(250);
    expect(app.line('Username')).toContain('✓ the one from before');
    await app.press(keys.enter);
    expect(app.count('bootstrap')).toBe(1);
  });

  it('asks for it to be done again where no active superadmin is left', async () => {
    const gone = personOf('ada', { role: 'superadmin', status: 'disabled' });
    const app = await openWith('passkey', { bootstrap: 'done', people: [gone] });
    await app.press('eve', keys.enter);
    expect(app.world.calls).toContainEqual(['bootstrap', { username: 'eve', again: true }]);
  });

  it('says where to look if somebody was faster', async () => {
    const app = await openWith('passkey');
    await app.press('ada');
    await app.clock.advance(250);
    app.world.failure = new AuthError('already_bootstrapped');
    await app.press(keys.enter);
    expect(app.screen()).toContain('✗ The first superadmin was already created. Look under Users.');
  });

  it('keeps within 40 columns', async () => {
    const app = await openWith('password', {}, { columns: 40 });
    await app.press('a-long-name-of-somebody', keys.enter, good);
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen()).toContain('Once more');
  });
});
