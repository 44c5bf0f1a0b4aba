import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startAuditAlarm } from '../../src/service/audit-alarm.ts';
import { runtimeOf } from '../../src/service/auth-service.ts';
import { eventually } from '../support/eventually.ts';
import { freezeClock } from '../support/frozen-clock.ts';
import { sequence } from '../support/sequencing.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeEach(async () => {
  service = await startTestService();
});
afterEach(() => service.close());

const ops = () => service.auth.asOperator('ops');
const waiting = async () => (await ops().audit.backlog()).waitingSeconds;
/** Lets the given time pass since the last round. */
async function letPass(seconds: number): Promise<void> {
  await service.turnClock({ seconds });
  await service.database
    .sql`update latchkey.audit_log set caught_up_at = caught_up_at - ${`${seconds} seconds`}::interval`;
}

describe('the backlog of the audit log', () => {
  test('is 0 without events, and after each event has its position', async () => {
    await letPass(1000);
    expect(await waiting()).toBe(0);
    await ops().users.create({ username: 'ada' });
    await sequence(service.database.sql);
    await letPass(1000);
    expect(await waiting()).toBe(0);
  });

  test('is the time since the oldest event without a position', async () => {
    await sequence(service.database.sql);
    await ops().users.create({ username: 'ada' });
    await letPass(1000);
    await ops().users.create({ username: 'ben' });
    expect(await waiting()).toBeGreaterThanOrEqual(1000);
    await sequence(service.database.sql);
    expect(await waiting()).toBe(0);
  });

  test('counts from the migration if no process has given positions yet', async () => {
    await ops().users.create({ username: 'ada' });
    await letPass(1000);
    expect(await waiting()).toBeGreaterThanOrEqual(1000);
  });

  test('does not count the time before a late transaction committed', async () => {
    await sequence(service.database.sql);
    await service.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, details)
      values (gen_random_uuid(), latchkey.clock() - interval '1 hour', 'session.logout', 'success', 'anonymous', '{}')`;
    await service.database.sql`update latchkey.audit_log set caught_up_at = now()`;
    expect(await waiting()).toBeLessThan(300);
  });
});

test.each(['sequenced', 'not sequenced'])(
  'a time in the future does not hide the backlog of a log that is %s',
  async (state) => {
    if (state === 'sequenced') await sequence(service.database.sql);
    await ops().users.create({ username: 'ada' });
    await service.database.sql`update latchkey.audit_log set caught_up_at = 'infinity'`;
    await letPass(1000);
    expect(await waiting()).toBeGreaterThanOrEqual(1000);
  },
);

test('an error is logged once when events have waited for five minutes, and again after a recovery', async () => {
  const runtime = runtimeOf(service.auth);
  const alarm = startAuditAlarm(runtime);
  const errors = () => service.logged.filter(({ level }) => level === 'error');
  await sequence(service.database.sql);
  await freezeClock(service);
  await ops().users.create({ username: 'ada' });
  await letPass(290);
  await alarm.check();
  expect(errors()).toEqual([]);
  await letPass(10);
  await alarm.check();
  await alarm.check();
  expect(errors()).toMatchObject([
    {
      fields: { waitingSeconds: expect.any(Number) },
      message: expect.stringContaining('audit events have waited'),
    },
  ]);
  expect(alarm.lag().waitingSeconds).toBeGreaterThanOrEqual(300);
  await sequence(service.database.sql);
  await alarm.check();
  expect(service.logged.at(-1)).toMatchObject({
    level: 'info',
    message: 'audit events get their positions again',
  });
  await ops().users.create({ username: 'ben' });
  await letPass(300);
  await alarm.check();
  expect(errors()).toHaveLength(2);
  await alarm.stop();
});

test('a running service gives events their positions', async () => {
  const running = await startServiceOn(service.database.url, { auditSequencer: true });
  await running.auth.asOperator('ops').users.create({ username: 'ada' });
  await eventually(async () => {
    const [entry] = await service.database.sql`select from latchkey.audit_entries`;
    return entry !== undefined;
  });
  await running.close();
  const [log] = await service.database.sql`select holder, held_until from latchkey.audit_log`;
  expect(log).toEqual({ holder: expect.any(String), held_until: null });
  expect(running.logged).toEqual([]);
});
