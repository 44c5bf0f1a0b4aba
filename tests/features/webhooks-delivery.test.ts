import type { Database, Statement } from 'latchkey';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { newUsername } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { sequence } from '../support/sequencing.ts';
import { startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { isSigned, localWebhooks, type Receiver, startReceiver } from './support/webhooks.ts';

const day = 24 * 60;
const users = { events: ['user.'] as const };

let service: TestService;
let receiver: Receiver;
beforeAll(async () => {
  service = await startTestService(localWebhooks);
});
afterAll(() => service.close());

const operator = () => service.auth.asOperator('ops');
const webhooks = () => operator().webhooks;

/** Creates a receiver and its webhook. */
async function create(given: Parameters<OperatorCreate>[0] | object = {}) {
  receiver = await startReceiver();
  const name = newUsername('hook');
  const { secret } = await webhooks().create({ name, url: receiver.url, ...users, ...given });
  return { name, secret };
}
type OperatorCreate = ReturnType<typeof webhooks>['create'];

afterEach(async () => {
  for (const { name } of await webhooks().list()) await webhooks().delete(name);
  await receiver?.close();
  service.logged.length = 0;
});

const find = async (name: string) => (await webhooks().list()).find((webhook) => webhook.name === name);

/** Records `count` events with positions, and returns the usernames that they are about. */
async function record(count: number, { auth, database } = service): Promise<string[]> {
  const names = Array.from({ length: count }, () => newUsername());
  for (const username of names) await auth.asOperator('ops').users.create({ username });
  await sequence(database.sql);
  return names;
}
const namesIn = () => receiver.received.map(({ event }) => event.data.target.name);
const arrived = (count: number) => eventually(() => receiver.received.length >= count);
/** The sender has stored the result of the last attempt. */
const settled = (
  name: string,
  condition: (webhook: NonNullable<Awaited<ReturnType<typeof find>>>) => boolean,
) =>
  eventually(async () => {
    const webhook = await find(name);
    return webhook !== undefined && condition(webhook);
  });

test('a receiver gets each event once and in order, signed and as a CloudEvent', async () => {
  const { name, secret } = await create();
  const names = await record(5);
  await arrived(5);
  const cursor = `${BigInt(receiver.received[4]?.event.sequence)}:${receiver.received[4]?.event.id}`;
  // Several attempts can deliver the five events. Only the last one stores this cursor.
  await settled(name, (webhook) => webhook.cursor === cursor);
  expect(namesIn()).toEqual(names);
  expect(receiver.underWay.most).toBe(1);
  const sequences = receiver.received.map(({ event }) => event.sequence);
  expect([...sequences].sort()).toEqual(sequences);
  for (const one of receiver.received) {
    expect(isSigned(one, secret)).toBe(true);
    expect(one.headers['webhook-id']).toBe(one.event.id);
    expect(one.event).toMatchObject({
      specversion: '1.0',
      type: 'user.create',
      source: 'http://localhost:3000',
    });
    expect(one.event.data).toMatchObject({ id: one.event.id, actor: { type: 'operator', name: 'ops' } });
  }
  expect(await find(name)).toMatchObject({
    state: 'active',
    failedAttempts: 0,
    lastAttempt: { status: 204, fault: null },
  });
});

test('a webhook gets only events after its creation, unless `after` names another start', async () => {
  await record(2);
  const { name } = await create();
  const after = await record(1);
  await arrived(1);
  await settled(name, ({ lastAttempt }) => lastAttempt !== null);
  expect(namesIn()).toEqual(after);
  const [first] = receiver.received;
  await receiver.close();

  await create({ after: 'start' });
  await eventually(() => namesIn().includes(after[0]));
  expect(receiver.received.length).toBeGreaterThan(3);
  await receiver.close();

  await create({ after: `${BigInt(first?.event.sequence)}:${first?.event.id}` });
  const next = await record(1);
  await arrived(1);
  expect(namesIn()).toEqual(next);
});

test('a webhook with a filter moves past the events that it leaves out', async () => {
  const { name } = await create({ events: ['session.revoke', 'member.'] });
  await record(3);
  await settled(name, ({ cursor }) => cursor !== null);
  const [last] = await service.database.sql`
    select position || ':' || event_id as cursor from latchkey.audit_entries order by position desc limit 1`;
  await settled(name, ({ cursor }) => cursor === last?.cursor);
  expect(receiver.received).toEqual([]);
});

test('after a failure, the receiver gets the same event again, and the later events wait', async () => {
  const { name } = await create();
  receiver.answer((response) => response.writeHead(500).end());
  const names = await record(3);
  await settled(name, ({ failedAttempts }) => failedAttempts === 1);
  expect(await find(name)).toMatchObject({
    state: 'active',
    failingSince: expect.any(String),
    nextAttemptAt: expect.any(String),
    lastAttempt: { status: 500, fault: 'refused' },
  });
  receiver.answer((response) => response.writeHead(204).end());
  await service.turnClock({ seconds: 6 });
  await arrived(4);
  await settled(name, ({ failedAttempts }) => failedAttempts === 0);
  expect(namesIn()).toEqual([names[0], ...names]);
  expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id']);
  expect(await find(name)).toMatchObject({ failingSince: null, nextAttemptAt: null });
  expect(service.logged).toContainEqual({
    level: 'warn',
    fields: {
      webhook: name,
      fault: 'refused',
      status: 500,
      attempts: 1,
      nextAttemptSeconds: expect.any(Number),
    },
    message: 'the receiver of a webhook does not accept an event, trying again later',
  });
});

test('before the pause is over, the receiver gets nothing', async () => {
  const { name } = await create();
  receiver.answer((response) => response.writeHead(503, { 'Retry-After': '3600' }).end());
  await record(1);
  await settled(name, ({ failedAttempts }) => failedAttempts === 1);
  await service.turnClock({ minutes: 59 });
  const other = await startReceiver();
  await webhooks().create({ name: newUsername('hook'), url: other.url, ...users });
  await record(1);
  await eventually(() => other.received.length === 1);
  expect(receiver.received).toHaveLength(1);
  await service.turnClock({ minutes: 10 });
  await arrived(2);
  await other.close();
});

test('after three days of failures, the service pauses the webhook and reports it', async () => {
  const { name } = await create();
  receiver.answer((response) => response.destroy());
  const [username] = await record(1);
  for (let attempts = 1; attempts <= 4; attempts += 1) {
    await settled(name, ({ failedAttempts }) => failedAttempts === attempts);
    await service.turnClock({ minutes: attempts < 4 ? 200 : 3 * day });
  }
  await settled(name, ({ state }) => state === 'paused');
  expect(await find(name)).toMatchObject({ reason: 'failing', failedAttempts: 5 });
  expect(service.logged).toContainEqual(expect.objectContaining({ level: 'error' }));
  const paused = (await service.auditRows()).filter(({ event }) => event === 'webhook.pause');
  expect(paused).toMatchObject([
    { outcome: 'success', actor_type: 'system', target_name: name, details: { reason: 'failing' } },
  ]);
  const count = receiver.received.length;
  receiver.answer((response) => response.writeHead(200).end());
  await webhooks().resume(name);
  await arrived(count + 1);
  await settled(name, ({ failedAttempts }) => failedAttempts === 0);
  expect(namesIn()).toEqual(Array(count + 1).fill(username));
});

test('the status 410 disables a webhook, and it can be resumed', async () => {
  const { name } = await create();
  receiver.answer((response) => response.writeHead(410).end());
  const names = await record(2);
  await settled(name, ({ state }) => state === 'disabled');
  expect(await find(name)).toMatchObject({ reason: 'gone', lastAttempt: { status: 410 } });
  const disabled = (await service.auditRows()).filter(({ event }) => event === 'webhook.disable');
  expect(disabled).toMatchObject([{ target_name: name, details: { reason: 'gone' } }]);
  receiver.answer((response) => response.writeHead(200).end());
  expect(await webhooks().resume(name)).toMatchObject({ state: 'active', reason: null });
  await arrived(3);
  expect(namesIn()).toEqual([names[0], ...names]);
});

test('a paused webhook sends nothing and loses nothing', async () => {
  const { name } = await create();
  await webhooks().pause(name);
  const other = await startReceiver();
  await webhooks().create({ name: newUsername('hook'), url: other.url, ...users });
  const names = await record(2);
  await eventually(() => other.received.length === 2);
  expect(receiver.received).toEqual([]);
  await webhooks().resume(name);
  await arrived(2);
  expect(namesIn()).toEqual(names);
  await other.close();
});

test('a failure of the earlier URL does not count against the new one', async () => {
  const { name } = await create();
  const later = await startReceiver();
  let release = () => {};
  receiver.answer((response) => {
    release = () => response.writeHead(410).end();
  });
  const names = await record(1);
  await arrived(1);
  await webhooks().update(name, { url: later.url });
  release();
  await eventually(() => later.received.length === 1);
  expect(later.received[0]?.event.data.target.name).toBe(names[0]);
  expect(await find(name)).toMatchObject({ state: 'active', url: later.url });
  await later.close();
});

test('signatures use both secrets for 24 hours after a rotation', async () => {
  const { name, secret } = await create();
  const rotated = await webhooks().rotateSecret(name);
  expect(rotated.secret).not.toBe(secret);
  await record(1);
  await arrived(1);
  const [first] = receiver.received;
  expect(first && [isSigned(first, secret), isSigned(first, rotated.secret)]).toEqual([true, true]);
  await service.turnClock({ minutes: day });
  await record(1);
  await arrived(2);
  const [, second] = receiver.received;
  expect(second && [isSigned(second, secret), isSigned(second, rotated.secret)]).toEqual([false, true]);
});

test('a test event is sent at once, and its result does not change the webhook', async () => {
  const { name, secret } = await create();
  const accepted = await webhooks().test(name);
  expect(accepted).toEqual({
    fault: null,
    status: 204,
    durationMs: expect.any(Number),
    eventId: expect.any(String),
  });
  const [one] = receiver.received;
  expect(one && isSigned(one, secret)).toBe(true);
  expect(one?.event).toMatchObject({
    id: accepted.eventId,
    type: 'webhook.test',
    data: { target: { name } },
  });
  expect(one?.event.sequence).toBeUndefined();
  receiver.answer((response) => response.writeHead(410).end());
  expect(await webhooks().test(name)).toMatchObject({ fault: 'refused', status: 410 });
  expect(await find(name)).toMatchObject({ state: 'active', lastAttempt: null });
});

test('two processes send the events of a webhook in order, one at a time', async () => {
  const other = await startSecondInstance(service, localWebhooks);
  try {
    await create();
    const names = await record(30);
    await arrived(30);
    await record(1);
    await arrived(31);
    expect(namesIn().slice(0, 30)).toEqual(names);
    expect(receiver.underWay.most).toBe(1);
  } finally {
    await other.close();
  }
});

test('a process sends no event of a webhook while another process waits for a response', async () => {
  const own = await startTestService({ ...localWebhooks, webhookSender: false });
  const first = await startSecondInstance(own, localWebhooks);
  receiver = await startReceiver();
  receiver.answer(() => {});
  await own.auth.asOperator('ops').webhooks.create({ name: 'hook', url: receiver.url, ...users });
  await own.auth.asOperator('ops').users.create({ username: newUsername() });
  await sequence(own.database.sql);
  await arrived(1);
  let polls = 0;
  const query: Database['query'] = async <Row extends object>({ text, values }: Statement) => {
    if (text.includes('webhooks.after_position <')) polls += 1;
    return [...(await own.database.sql.unsafe<Row[]>(text, values as never[]))];
  };
  const second = await startServiceOn({ query }, { ...localWebhooks, webhookSender: true });
  await eventually(() => polls >= 3);
  expect(receiver.received).toHaveLength(1);
  await second.close();
  await first.close();
  await own.close();
});

test('a process that ends gives its webhooks to another process at once', async () => {
  const own = await startTestService({ ...localWebhooks, webhookSender: false });
  const first = await startSecondInstance(own, localWebhooks);
  receiver = await startReceiver();
  receiver.answer(() => {});
  await own.auth.asOperator('ops').webhooks.create({ name: 'hook', url: receiver.url, ...users });
  const username = newUsername();
  await own.auth.asOperator('ops').users.create({ username });
  await sequence(own.database.sql);
  await arrived(1);
  const second = await startSecondInstance(own, localWebhooks);
  receiver.answer((response) => response.writeHead(204).end());
  await first.close();
  await arrived(2);
  expect(namesIn()).toEqual([username, username]);
  await second.close();
  await own.close();
});

test('the service pauses a webhook if the log no longer has the last delivered event', async () => {
  const { name } = await create();
  await record(1);
  await arrived(1);
  // A process that still holds the webhook would overwrite the changed position.
  await eventually(async () => {
    const [row] = await service.database.sql`
      select held_until is null and last_at is not null as is_idle from latchkey.webhooks where name = ${name}`;
    return row?.is_idle;
  });
  await service.database.sql`update latchkey.webhooks set after_id = gen_random_uuid() where name = ${name}`;
  await record(1);
  await settled(name, ({ state }) => state === 'paused');
  expect(await find(name)).toMatchObject({ reason: 'log_changed' });
  await expect(webhooks().resume(name)).rejects.toMatchObject({ code: 'log_changed' });
  await expect(webhooks().resume(name, { after: `0:${crypto.randomUUID()}` })).rejects.toMatchObject({
    code: 'log_changed',
  });
  expect(await webhooks().resume(name, { after: 'end' })).toMatchObject({ state: 'active', reason: null });
  const names = await record(1);
  await arrived(2);
  expect(namesIn()[1]).toBe(names[0]);
});

test('the service pauses a webhook whose secret it cannot decrypt', async () => {
  const { name } = await create();
  const second = await create();
  await service.database.sql`
    update latchkey.webhooks set secret = (select secret from latchkey.webhooks where name = ${second.name})
    where name = ${name}`;
  await record(1);
  await settled(name, ({ state }) => state === 'paused');
  expect(await find(name)).toMatchObject({ reason: 'secret_unreadable' });
  expect(await webhooks().test(name)).toMatchObject({ fault: 'secret_unreadable' });
  await webhooks().rotateSecret(name);
  expect(await webhooks().resume(name)).toMatchObject({ state: 'active' });
});

test('`auth.statistics` counts accepted events and failed attempts', async ({ onTestFinished }) => {
  // Another service, because the attempts of earlier tests can end during this test.
  const own = await startTestService(localWebhooks);
  onTestFinished(() => own.close());
  receiver = await startReceiver();
  await own.auth.asOperator('ops').webhooks.create({ name: 'counted', url: receiver.url, ...users });
  const counts = () => own.auth.statistics().webhooks;
  await record(2, own);
  await eventually(() => counts().delivered >= 2);
  expect(counts()).toMatchObject({ delivered: 2, failed: 0 });
  receiver.answer((response) => response.writeHead(500).end());
  await record(1, own);
  await eventually(() => counts().failed >= 1);
  expect(counts()).toMatchObject({ delivered: 2, failed: 1 });
});
