import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { keys, openApp } from './support/open-app.tsx';
import { personOf } from './support/people.ts';

const people = () => [
  personOf('ada', { role: 'superadmin' }),
  personOf('eve', { displayName: 'Eve \u001b[31mred' }),
  personOf('grace', { role: 'admin', status: 'disabled' }),
];

const open = async (size = {}) => {
  const app = await openApp({ people: people() }, size);
  await app.press('u');
  return app;
};

const openPerson = async (username: string) => {
  const app = await openApp({ people: people() });
  await app.press('u', '/', username, keys.enter, keys.enter);
  return app;
};

describe('users', () => {
  it('tells roles and status in words, and lets no name steer the terminal', async () => {
    const app = await open();
    expect(app.line('ada')).toMatch(/superadmin\s+✓ active/);
    expect(app.line('grace')).toMatch(/admin\s+✗ disabled/);
    expect(app.line('eve')).toContain('Eve \\u001b[31mred');
  });

  it('searches as one types, filters by role and status, and esc shows everybody', async () => {
    const app = await open();
    await app.press('/', 'gr');
    expect(app.screen()).toContain('grace');
    expect(app.screen()).not.toContain('eve');
    await app.press(keys.escape, 'f');
    expect(app.line('Latchkey')).toContain('Users · superadmin');
    expect(app.screen()).not.toContain('grace');
    await app.press(keys.escape, 's', 's');
    expect(app.line('Latchkey')).toContain('Users · disabled');
    expect(app.screen()).not.toContain('ada');
    await app.press(keys.escape);
    expect(app.screen()).toContain('ada');
  });

  it('shows a person with their ways in, sessions and memberships, and stays current', async () => {
    const app = await openPerson('eve');
    expect(app.line('Passkeys')).toContain('2');
    expect(app.line('Password')).toContain('none');
    expect(app.line('Codes')).toContain('10 left');
    expect(app.screen()).toContain('No session is alive.');
    const eve = app.world.people.find(({ user }) => user.username === 'eve');
    eve?.memberships.push({ organizationId: 'o-1', role: 'admin' });
    await app.clock.advance(2000);
    expect(app.line('Member')).toContain('of 1 organization, admin of 1');
    expect(app.count('users.list')).toBeLessThan(8);
  });

  it('changes a role after asking which one and whether', async () => {
    const app = await openPerson('eve');
    await app.press('r', 'j', keys.enter);
    expect(app.screen()).toContain('Make eve an admin?');
    await app.press('y');
    expect(app.line('Role')).toContain('admin');
    expect(app.screen()).toContain('✓ eve is an admin now.');
  });

  it('says what to do where the last superadmin would go', async () => {
    const app = await openPerson('ada');
    await app.press('r', 'k', keys.enter, 'y');
    expect(app.screen()).toContain(
      '✗ This is the last active superadmin. Make another user a superadmin first.',
    );
  });

  it('disables and enables, each after a question with the name', async () => {
    const app = await openPerson('eve');
    await app.press('d');
    expect(app.screen()).toContain('Disable eve?');
    await app.press(keys.escape);
    expect(app.count('users.disable')).toBe(0);
    await app.press('d', 'y');
    expect(app.line('Status')).toContain('✗ disabled');
    await app.press('d');
    expect(app.screen()).toContain('Enable eve?');
    await app.press('y');
    expect(app.line('Status')).toContain('✓ active');
  });

  it('ends sessions and says how many', async () => {
    const app = await openPerson('eve');
    await app.press('s');
    expect(app.screen()).toContain('End every session of eve?');
    await app.press('y');
    expect(app.screen()).toContain('✓ 2 sessions of eve ended.');
  });

  it('shows a recovery link this once', async () => {
    const app = await openPerson('eve');
    await app.press('l');
    expect(app.screen()).toContain('Make a recovery link for eve?');
    await app.press('y');
    expect(app.screen()).toContain('https://example.com/recover#token=way-back');
    expect(app.screen()).toContain('for 1 h');
    await app.press(keys.escape);
    expect(app.screen()).not.toContain('#token=');
  });

  it('deletes only once the username is typed', async () => {
    const app = await openPerson('eve');
    await app.press('x', 'y', keys.enter);
    expect(app.screen()).toContain('✗ not eve');
    expect(app.count('users.remove')).toBe(0);
    await app.press(keys.backspace, 'eve', keys.enter);
    expect(app.world.calls).toContainEqual(['users.remove', 'eve']);
    expect(app.screen()).toContain('✓ eve is deleted.');
    expect(app.line('Latchkey')).toContain('Users');
  });

  it('shows after 300 ms what it is doing', async () => {
    const app = await openPerson('eve');
    let release = () => {};
    app.world.gate = new Promise((done) => {
      release = done;
    });
    await app.press('d', 'y');
    expect(app.screen()).not.toContain('Disabling…');
    await app.clock.advance(300);
    expect(app.screen()).toContain('Disabling…');
    release();
    await app.clock.advance(0);
    expect(app.screen()).toContain('✓ eve is disabled.');
  });

  it('shows why a change failed without the cause of the error', async () => {
    const app = await openPerson('eve');
    app.world.failure = new AuthError('unavailable', {
      cause: new Error('connect ECONNREFUSED 10.0.0.7:5432'),
    });
    await app.press('d', 'y');
    expect(app.screen()).toContain('✗ The database is unreachable. Try again, or open Doctor.');
    expect(app.screen()).not.toContain('10.0.0.7');
    app.world.failure = new AuthError('account_disabled');
    await app.press('l', 'y');
    expect(app.screen()).toContain('✗ This account is disabled. Enable it first.');
  });

  it('keeps within 40 columns', async () => {
    const app = await open({ columns: 40 });
    await app.press(keys.enter, 'd');
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen()).toContain('Disable ada?');
  });
});
