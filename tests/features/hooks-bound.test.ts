import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createGate } from './support/hooks.ts';

let service: TestService;
let hoursAhead = 0;
beforeAll(async () => {
  service = await startTestService({ clock: () => new Date(Date.now() + hoursAhead * 3_600_000) });
});
afterAll(() => service.close());

/** Causes events: refused uses of recovery links. */
async function cause(events: number): Promise<void> {
  const browser = service.browser();
  for (let left = events; left > 0; left -= 50)
    await Promise.all(
      Array.from({ length: Math.min(50, left) }, () =>
        browser.post('/auth/recovery/assisted/use', { token: 'unknown' }),
      ),
    );
}

const logged = () => service.logged.filter(({ level }) => level === 'error');

test('a handler misses events while 1,000 events wait for it, and the log says how many', async () => {
  const gate = createGate();
  let called = 0;
  const stop = service.auth.on('recovery_link.use', () => {
    called += 1;
    return gate.opened;
  });
  await cause(1000);
  await eventually(() => called === 1000);
  expect(logged()).toEqual([]);

  // In the same window of ten minutes, these refusals would be counted as a burst, and not be events.
  hoursAhead = 1;
  await cause(120);
  expect(logged()).toMatchObject([
    {
      message: 'auth.on handlers are too slow, so they miss events until fewer events wait',
      fields: { waiting: 1000 },
    },
  ]);

  gate.open();
  await eventually(async () => {
    await cause(1);
    return called > 1000;
  });
  const [, summary] = logged();
  expect(summary).toMatchObject({
    message: 'auth.on handlers have missed events',
    fields: { missed: expect.any(Number) },
  });
  const { missed } = { missed: 0, ...summary?.fields };
  const recorded = (await service.auditRows()).filter(({ event }) => event === 'recovery_link.use').length;
  await eventually(() => called + missed === recorded);
  stop();
});
