import { AuthError } from 'latchkey';
import { describe, expect, it } from 'vitest';
import { allFeatures, type Features } from '../../../cli/features.ts';
import { keys, openApp } from './support/open-app.tsx';
import { userOf } from './support/users.ts';

const users = () => [
  userOf('ada', { role: 'superadmin' }),
  userOf('eve', { displayName: 'Eve \u001b[31mred' }),
  userOf('grace', { role: 'admin', status: 'disabled' }),
];

const open = async (size = {}) => {
  const app = await openApp({ users: users() }, size);
  await app.press('u');
  return app;
};

const openUser = async (username: string) => {
  const app = await openApp({ users: users() });
  await app.press('u', '/', username, keys.enter, keys.enter);
  return app;
};

describe('the users screen', () => {
  it('shows roles and statuses as text, and escapes control characters', async () => {
    const app = await open();
    expect(app.line('ada')).toMatch(/superadmin\s+✓ active/);
    expect(app.line('grace')).toMatch(/admin\s+✗ disabled/);
    expect(app.line('eve')).toContain('Eve \\u001b[31mred');
  });

  it('searches while the operator types, and filters by role and status; esc clears the search and the filters', async () => {
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

  it('shows the sign-in methods, sessions and memberships of a user, and keeps them up to date', async () => {
    const app = await openUser('eve');
    expect(app.line('Passkeys')).toContain('2');
    expect(app.line('Password')).toContain('none');
    expect(app.line('Recovery codes')).toContain('10 left');
    expect(app.screen()).toContain('No sessions. A session starts');
    const eve = app.state.users.find(({ user }) => user.username === 'eve');
    eve?.memberships.push({ organizationId: 'o-1', role: 'admin' });
    await app.clock.advance(2000);
    expect(app.line('Organizations')).toContain('1 (organization admin in 1)');
    expect(app.count('users.list')).toBeLessThan(8);
  });

  it('mentions organizations and invitations of users only if the service has them', async () => {
    const openRoles = async (features: Features) => {
      const app = await openApp({ users: users(), features });
      await app.press('u', '/', 'eve', keys.enter, keys.enter);
      const facts = app.screen();
      await app.press('r');
      return { facts, roles: app.screen() };
    };
    const all = await openRoles(allFeatures);
    expect(all.facts).toContain('Organizations');
    expect(all.roles).toContain('can also create organizations and help their members');
    const withInvitations = await openRoles({ ...allFeatures, organizations: false });
    expect(withInvitations.facts).not.toContain('Organizations');
    expect(withInvitations.facts).toContain('No sessions.');
    expect(withInvitations.roles).toContain('can also invite users');
    expect(withInvitations.roles).not.toContain('organizations');
    const without = await openRoles({ ...allFeatures, organizations: false, userInvitations: false });
    expect(without.roles).not.toMatch(/can also/);
  });

  it('changes a role after the operator selects and confirms the new role', async () => {
    const app = await openUser('eve');
    await app.press('r', 'j', keys.enter);
    expect(app.screen()).toContain('Change the role of eve to admin?');
    await app.press('y');
    expect(app.line('Role')).toContain('admin');
    expect(app.screen()).toContain('✓ eve has the role admin.');
  });

  it('shows a next step if the last superadmin would lose the role', async () => {
    const app = await openUser('ada');
    await app.press('r', 'k', keys.enter, 'y');
    expect(app.screen()).toContain(
      '✗ This is the last active superadmin. Make another user a superadmin first.',
    );
  });

  it('disables and enables a user after a confirmation that contains the username', async () => {
    const app = await openUser('eve');
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

  it('keeps the question open after Enter, and changes nothing', async () => {
    const app = await openUser('eve');
    await app.press('d', keys.enter);
    expect(app.screen()).toContain('Disable eve?');
    expect(app.count('users.disable')).toBe(0);
  });

  it('ends sessions and shows the number of ended sessions', async () => {
    const app = await openUser('eve');
    await app.press('s');
    expect(app.screen()).toContain('End all sessions of eve?');
    await app.press('y');
    expect(app.screen()).toContain('✓ Ended 2 sessions of eve.');
  });

  it('shows a recovery link only once', async () => {
    const app = await openUser('eve');
    await app.press('l');
    expect(app.screen()).toContain('Create a recovery link for eve?');
    await app.press('y');
    expect(app.screen()).toContain('https://example.com/recover#token=way-back');
    expect(app.screen()).toContain('valid for 1 h');
    await app.press(keys.escape);
    expect(app.screen()).not.toContain('#token=');
  });

  it('deletes a user only after the operator types the username', async () => {
    const app = await openUser('eve');
    await app.press('x', 'y', keys.enter);
    expect(app.screen()).toContain('✗ this is not eve');
    expect(app.count('users.delete')).toBe(0);
    await app.press(keys.backspace, 'eve', keys.enter);
    expect(app.state.calls).toContainEqual(['users.delete', 'eve']);
    expect(app.screen()).toContain('✓ eve is deleted.');
    expect(app.line('Latchkey')).toContain('Users');
  });

  it('shows after 300 ms that an action is running', async () => {
    const app = await openUser('eve');
    let release = () => {};
    app.state.gate = new Promise((done) => {
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

  it('shows why a change failed, but no internal details of the error', async () => {
    const app = await openUser('eve');
    app.state.failure = new AuthError('unavailable', {
      cause: new Error('connect ECONNREFUSED 10.0.0.7:5432'),
    });
    await app.press('d', 'y');
    expect(app.screen()).toContain('✗ The database is unreachable. Try again, or open Doctor.');
    expect(app.screen()).not.toContain('10.0.0.7');
    app.state.failure = new AuthError('account_disabled');
    await app.press('l', 'y');
    expect(app.screen()).toContain('✗ This account is disabled. An administrator can enable the account.');
  });

  it('fits into 40 columns', async () => {
    const app = await open({ columns: 40 });
    await app.press(keys.enter, 'd');
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
    expect(app.screen()).toContain('Disable ada?');
  });
});
