import type { AuthService, FedEvent } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { insertEvent, insertLate, lastCursor, namesOf, untilSequenced } from './support/feed.ts';

let service: TestService;
let reader: ServiceOn;
let isBroken = false;
beforeAll(async () => {
  service = await startTestService({ auditSequencer: true });
  reader = await startSecondInstance(service, {}, () => {
    if (isBroken) throw Object.assign(new Error('connection lost'), { code: 'ECONNREFUSED' });
  });
  await signUp(service);
});
afterAll(async () => {
  await reader.close();
  await service.close();
});

/** Collects events in the background. `stop` ends the loop and waits for it. */
function collect(auth: AuthService, options: Parameters<AuthService['events']>[0] = {}) {
  const stopping = new AbortController();
  const fed: FedEvent[] = [];
  const loop = (async () => {
    for await (const each of auth.events({ ...options, signal: stopping.signal })) fed.push(each);
  })();
  const has = (name: string) => eventually(() => namesOf(fed).includes(name));
  const stop = () => {
    stopping.abort();
    return loop;
  };
  return { fed, has, loop, stop };
}

test('a process receives the events of another process and of the terminal, even if they are committed late', async () => {
  const reading = collect(reader.auth, { after: await lastCursor(service) });
  const late = await insertLate(service.database, 'late');
  const person = await signUp(service);
  await service.auth.asOperator('ops').users.disable(person.username);
  await insertEvent(service.database.sql, 'early');
  await reading.has('early');
  await late.commit();
  await reading.has('late');
  await reading.stop();
  expect(reading.fed.map(({ event }) => event.event)).toEqual([
    'account.signup',
    'user.disable',
    'audit.export',
    'audit.export',
  ]);
});

test('a reader that continues with the cursor of any event receives exactly the later events', async () => {
  await untilSequenced(service.database);
  const everything = collect(reader.auth);
  await insertEvent(service.database.sql, 'last');
  await everything.has('last');
  await everything.stop();
  const ids = everything.fed.map(({ event }) => event.id);
  expect(new Set(ids).size).toBe((await service.auditRows()).length);
  for (const { cursor, event } of everything.fed.slice(0, -1)) {
    const rest = collect(reader.auth, { after: cursor });
    await rest.has('last');
    await rest.stop();
    expect(rest.fed.map((each) => each.event.id)).toEqual(ids.slice(ids.indexOf(event.id) + 1));
  }
});

test('`after: end` starts with the events after the call, and `events` selects names and prefixes', async () => {
  await lastCursor(service);
  const iterator = reader.auth.events({ after: 'end', events: ['account.', 'audit.export'] });
  const next = iterator.next();
  const succeeded = () => reader.auth.statistics().database.succeeded;
  const before = succeeded();
  await eventually(() => succeeded() > before + 3);
  const person = await signUp(service);
  await service.auth.asOperator('ops').users.disable(person.username);
  await insertEvent(service.database.sql, 'selected');
  expect((await next).value).toMatchObject({
    event: { event: 'account.signup', target: { name: person.username } },
  });
  expect((await iterator.next()).value).toMatchObject({ event: { actor: { name: 'selected' } } });
  await iterator.return();
});

test('the loop ends when the service closes, even in the middle of a page', async () => {
  const other = await startSecondInstance(service);
  const waiting = collect(other.auth, { after: await lastCursor(service) });
  const seen: FedEvent[] = [];
  for await (const fed of other.auth.events()) {
    seen.push(fed);
    await other.auth.close();
  }
  expect(seen).toHaveLength(1);
  await waiting.loop;
  expect(waiting.fed).toEqual([]);
  await other.close();
});

test('the loop waits while the database is unreachable, and then misses no event', async () => {
  const reading = collect(reader.auth, { after: await lastCursor(service) });
  isBroken = true;
  await insertEvent(service.database.sql, 'during the outage');
  const warnings = () =>
    reader.logged.filter(({ message }) => message.startsWith('cannot read the audit log for auth.events'));
  await eventually(() => warnings().length > 0);
  isBroken = false;
  await reading.has('during the outage');
  await reading.stop();
  expect(namesOf(reading.fed)).toEqual(['during the outage']);
});

test('the loop throws log_changed if the log does not have the event of the cursor', async () => {
  const [position] = (await lastCursor(service)).split(':');
  const after = `${position}:00000000-0000-7000-8000-000000000000`;
  await expect(reader.auth.events({ after }).next()).rejects.toMatchObject({
    code: 'log_changed',
    status: 409,
  });
});

test('invalid options are a TypeError at once', () => {
  const { events } = reader.auth;
  expect(() => events({ after: 'yesterday' })).toThrow('after: expected a cursor');
  expect(() => events({ events: ['robot.'] })).toThrow('events: expected names of events');
  expect(() => events({ events: 'account.' as never })).toThrow('events: expected a list');
  expect(() => events({ signal: {} as never })).toThrow('signal: expected an AbortSignal');
});

test('the in-memory database has events with cursors', async () => {
  const memory = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  const first = collect(memory.auth);
  await signUp(memory);
  await eventually(() => first.fed.length === 1);
  await first.stop();
  expect(first.fed[0]?.cursor).toMatch(/^0:/);
  await memory.close();
});
