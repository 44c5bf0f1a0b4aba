import { describe, expect, it } from 'vitest';
import { keys, openApp } from './support/open-app.tsx';
import { personOf } from './support/people.ts';
import { eventOf } from './support/world.ts';

const open = async (size = {}) => {
  const app = await openApp(
    {
      people: [personOf('ada'), personOf('bob')],
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

describe('activity', () => {
  it('lists what happened, failures marked with a sign', async () => {
    const app = await open();
    expect(app.line('password.login')).toMatch(/✗ password.login\s+bob/);
    expect(app.line('passkey.login')).toMatch(/✓ passkey.login\s+ada\s+ada/);
  });

  it('shows new events at the top every two seconds and stays with the newest', async () => {
    const app = await open();
    app.world.events.unshift(eventOf({ id: '3', event: 'user.disable' }));
    await app.clock.advance(2000);
    expect(app.line('user.disable')).toContain('›');
  });

  it('stays with an older event that was selected', async () => {
    const app = await open();
    await app.press('j');
    app.world.events.unshift(eventOf({ id: '3', event: 'user.disable' }));
    await app.clock.advance(2000);
    expect(app.line('passkey.login')).toContain('›');
  });

  it('filters by outcome, kind of event and whoever did it', async () => {
    const app = await open();
    await app.press('f', 'f');
    expect(app.line('Latchkey')).toContain('Activity · failure');
    expect(app.screen()).not.toContain('passkey.login');
    await app.press(keys.escape, 'e', 'e');
    expect(app.line('Latchkey')).toContain('Activity · passkey.');
    expect(app.screen()).not.toContain('password.login');
    await app.press(keys.escape, '/', 'bob', keys.enter);
    expect(app.line('Latchkey')).toContain('Activity · by bob');
    expect(app.screen()).not.toContain('passkey.login');
    await app.press(keys.escape, 't', 'ada', keys.enter);
    expect(app.world.calls.at(-1)).toMatchObject(['audit.list', { targetId: 'u-ada' }]);
  });

  it('says that nobody has a name that was searched for', async () => {
    const app = await open();
    await app.press('/', 'nobody', keys.enter);
    expect(app.screen()).toContain('✗ Not found.');
    expect(app.line('Latchkey')).not.toContain('by');
  });

  it('opens all that is known of an event', async () => {
    const app = await open();
    await app.press('j', keys.enter);
    expect(app.line('reason')).toContain('because');
    expect(app.line('From  ')).toContain('192.0.2.1');
    await app.press(keys.escape);
    expect(app.screen()).not.toContain('because');
  });

  it('keeps within 40 columns', async () => {
    const app = await open({ columns: 40 });
    await app.press(keys.enter);
    for (const line of app.screen().split('\n')) expect([...line].length).toBeLessThanOrEqual(40);
  });
});
