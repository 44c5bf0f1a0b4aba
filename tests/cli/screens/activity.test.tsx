import { describe, expect, it } from 'vitest';
import { eventOf } from './support/fake-state.ts';
import { keys, openApp } from './support/open-app.tsx';
import { userOf } from './support/users.ts';

const open = async (size = {}) => {
  const app = await openApp(
    {
      users: [userOf('ada'), userOf('bob')],
      events: [
        eventOf({
          id: '2',
          event: 'password.login',
          outcome: 'failure',
          actor: { type: 'user', id: 'u-bob', name: 'bob' },
        }),
        eventOf({
          id: '1',
          details: { reason: 'because' },
          target: { type: 'user', id: 'u-ada', name: 'ada' },
        }),
      ],
    },
    size,
  );
  await app.press('a');
  return app;
};

describe('the activity screen', () => {
  it('lists events and marks failures', async () => {
    const app = await open();
    expect(app.line('password.login')).toMatch(/✗ password.login\s+bob/);
    expect(app.line('passkey.login')).toMatch(/✓ passkey.login\s+ada\s+ada/);
  });

  it('shows how many refusals an event stands for', async () => {
    const app = await open();
    app.state.events.unshift(
      eventOf({ id: '3', event: 'recovery_code.use', outcome: 'failure', count: 989 }),
    );
    await app.clock.advance(2000);
    expect(app.line('recovery_code')).toContain('✗ 989× recovery_code');
    await app.press(keys.enter);
    expect(app.line('Outcome')).toContain('failure, 989 times');
  });

  it('adds new events at the top every two seconds; a selection on the newest event moves to the new event', async () => {
    const app = await open();
    app.state.events.unshift(eventOf({ id: '3', event: 'user.disable' }));
    await app.clock.advance(2000);
    expect(app.line('user.disable')).toContain('›');
  });

  it('keeps the selection on an older event when new events are added', async () => {
    const app = await open();
    await app.press('j');
    app.state.events.unshift(eventOf({ id: '3', event: 'user.disable' }));
    await app.clock.advance(2000);
    expect(app.line('passkey.login')).toContain('›');
  });

  it('filters by outcome, event prefix, actor and target', async () => {
    const app = await open();
    await app.press('f', 'f');
    expect(app.line('Latchkey')).toContain('Activity · failure');
    expect(app.screen()).not.toContain('passkey.login');
    await app.press(keys.escape, 'e', 'e');
    expect(app.line('Latchkey')).toContain('Activity · passkey.');
    expect(app.screen()).not.toContain('password.login');
    await app.press(keys.escape, '/', 'bob', keys.enter);
    expect(app.line('Latchkey')).toContain('Activity · actor bob');
    expect(app.screen()).not.toContain('passkey.login');
    await app.press(keys.escape, 't', 'ada', keys.enter);
    expect(app.state.calls.at(-1)).toMatchObject(['audit.list', { targetId: 'u-ada' }]);
  });

  it('shows an error if a filter contains an unknown username', async () => {
    const app = await open();
    await app.press('/', 'unknown', keys.enter);
    expect(app.screen()).toContain('✗ Not found. Check the name or ID.');
    expect(app.line('Latchkey')).not.toContain('by');
  });

  it('shows the details of an event', async () => {
    const app = await open();
    await app.press('j', keys.enter);
    expect(app.line('reason')).toContain('because');
    expect(app.line('Client  ')).toContain('192.0.2.1');
    await app.press(keys.escape);
    expect(app.screen()).not.toContain('because');
  });

  it('fits into 40 columns', async () => {
    const app = await open({ columns: 40 });
    await app.press(keys.enter);
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
  });
});
