import { checkAuditProof } from 'latchkey';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { TestAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import type { ServiceOn } from '../support/service-on.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { walkAudit } from './support/activity.ts';
import { changeRole, signUpAs } from './support/authority.ts';
import {
  type Fed,
  type FeedQuery,
  getFeed,
  insertEvent,
  insertLate,
  lastCursor,
  namesOf,
  readOn,
  untilSequenced,
} from './support/feed.ts';

let service: TestService;
let second: ServiceOn;
let superadmin: Person;
let browser: TestAgent;
beforeAll(async () => {
  service = await startTestService({ auditSequencer: true });
  second = await startSecondInstance(service);
  superadmin = await signUpAs(service, 'superadmin');
  browser = superadmin.browser;
});
afterAll(async () => {
  await second.close();
  await service.close();
});
afterEach(() => expectNoLoggedErrors(service));

const sql = () => service.database.sql;
/** The same session, at the other process. */
const atSecond = () => second.browser(browser.cookies);
const isWaiting = () => eventually(() => service.statements.some((text) => /max\(audit_entries/.test(text)));

describe('the feed of the audit log', () => {
  test('returns the events of all processes once and in the same order, with each tested page size and from both processes', async () => {
    await signUp(service);
    await signUp(second);
    await untilSequenced(service.database);
    const all = await readOn(browser, null, { limit: 200 });
    expect(new Set(all.events.map(({ id }) => id)).size).toBe((await service.auditRows()).length);
    expect(await readOn(atSecond(), null, { limit: 3 })).toEqual(all);
    expect((await getFeed(browser, { after: `${all.cursor}` })).body).toEqual({
      events: [],
      cursor: all.cursor,
    });
    const half = (await getFeed(browser, { limit: 2 })).body as Fed;
    const rest = await readOn(browser, half.events[0]?.cursor ?? null);
    expect(rest.events).toEqual(all.events.slice(1));
  });

  test('returns an event that is committed after later events, to a reader who has read the later ones', async () => {
    const start = await lastCursor(service);
    const late = await insertLate(service.database, 'late');
    await insertEvent(sql(), 'early');
    await lastCursor(service);
    const before = await readOn(browser, start);
    expect(namesOf(before.events)).toEqual(['early']);
    await late.commit();
    await untilSequenced(service.database);
    const after = await readOn(browser, before.cursor);
    expect(namesOf(after.events)).toEqual(['late']);
  });

  test('with wait, responds when another process has recorded an event', async () => {
    const after = await lastCursor(service);
    service.statements.length = 0;
    const waiting = getFeed(browser, { after, wait: 30 });
    await isWaiting();
    const person = await signUp(second);
    const { status, body } = await waiting;
    expect(status).toBe(200);
    expect((body as Fed).events.map(({ event }) => event.target?.name)).toEqual([person.username]);
  });

  test('with wait and a filter, ignores other events and moves the cursor beyond them', async () => {
    const after = await lastCursor(service);
    const waiting = getFeed(browser, { after, wait: 2, event: 'passkey.login,user.' });
    await insertEvent(sql(), 'ignored');
    const { body } = await waiting;
    expect((body as Fed).events).toEqual([]);
    const cursor = await lastCursor(service);
    const read = (await getFeed(browser, { after, event: 'passkey.login' })).body as Fed;
    expect(read).toEqual({ events: [], cursor });
    await logIn(service.browser(), superadmin.authenticator);
    await untilSequenced(service.database);
    const { events } = (await getFeed(browser, { after, event: 'passkey.login' })).body as Fed;
    expect(events.map(({ event }) => event.event)).toEqual(['passkey.login']);
  });

  test('with wait and no event, responds after the wait with the same cursor', async () => {
    const after = await lastCursor(service);
    const started = performance.now();
    expect((await getFeed(browser, { after, wait: 1 })).body).toEqual({ events: [], cursor: after });
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  test('with after=end, returns only the cursor of the last event', async () => {
    const cursor = await lastCursor(service);
    expect((await getFeed(browser, { after: 'end' })).body).toEqual({ events: [], cursor });
  });

  test('responds log_changed to a cursor whose event is not at its position, or beyond the end', async () => {
    const [position, id] = (await lastCursor(service)).split(':');
    for (const after of [`${position}:00000000-0000-7000-8000-000000000000`, `${Number(position) + 1}:${id}`])
      expectProblem(await getFeed(browser, { after }), 'log_changed');
  });

  test('rejects other values of the parameters', async () => {
    const faults: FeedQuery[] = [
      { after: 'yesterday' },
      { after: '' },
      { wait: 31 },
      { wait: -1 },
      { wait: '1.5' },
      { limit: 0 },
      { event: 'robot.create' },
      { cursor: 'abc' },
    ];
    for (const query of faults) {
      const { status, body } = await getFeed(browser, query);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    }
  });
});

describe('a reader who takes the last cursor, reads the history, and then follows', () => {
  test('gets each event, even if it is committed or numbered while the reader reads the history', async () => {
    const before = await insertLate(service.database, 'committed after the history');
    await insertEvent(sql(), 'numbered before the history');
    await untilSequenced(service.database);
    const during = await insertLate(service.database, 'committed during the history');
    const { cursor } = (await getFeed(browser, { after: 'end' })).body as Fed;
    await insertEvent(sql(), 'after the cursor');
    let committing: Promise<void> | undefined;
    const history = await walkAudit(browser, { event: 'audit.export', limit: 2 }, () => {
      committing ??= during.commit();
      return committing;
    });
    await before.commit();
    await insertEvent(sql(), 'after the history');
    await untilSequenced(service.database);
    const { events } = await readOn(browser, cursor, { event: 'audit.export' });
    const both = new Map([...history.events, ...events].map((event) => [event.id, event]));
    const names = [
      'numbered before the history',
      'committed during the history',
      'after the cursor',
      'committed after the history',
      'after the history',
    ];
    const got = namesOf([...both.values()]);
    expect(got).toEqual(expect.arrayContaining(names));
    // The history alone lacks the event that was committed after it. The feed alone lacks the one before the cursor.
    expect(namesOf(history.events)).not.toContain('committed after the history');
    expect(namesOf(events)).not.toContain('numbered before the history');
    for (const name of names) expect(got.filter((each) => each === name)).toHaveLength(1);
  });
});

describe('the proof of an event', () => {
  const getProof = (from: TestAgent, id: string) => from.get(`/auth/admin/audit/${id}/proof`);

  test('convinces a reader who has only the public key, and contains the event', async () => {
    await insertEvent(sql(), 'proven');
    const cursor = await lastCursor(service);
    const id = cursor.slice(cursor.indexOf(':') + 1);
    const { keys } = await service.auth.asOperator('ops').audit.checkpoint();
    const { status, body, headers } = await getProof(atSecond(), id);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toMatch(/^text\/plain/);
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${id}.tlog-proof"`);
    expect(checkAuditProof(body, keys)).toMatchObject({
      position: Number(cursor.split(':')[0]),
      event: { id, actor: { name: 'proven' } },
    });
    expect(() => checkAuditProof(body.replace(/^index /m, 'index 1'), keys)).toThrow(RangeError);
  });

  test('is not found for an unknown or malformed id', async () => {
    for (const id of ['00000000-0000-7000-8000-000000000000', 'feed', 'robots'])
      expectProblem(await getProof(browser, id), 'not_found');
  });

  test('is refused to admins, with a record in the log', async () => {
    const admin = await signUpAs(service, 'admin');
    const [, id] = (await lastCursor(service)).split(':');
    expectProblem(await getProof(admin.browser, `${id}`), 'forbidden');
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'audit.list',
      outcome: 'failure',
      actor_name: admin.username,
    });
  });
});

describe('a request that waits', () => {
  test('gets no events if the session ends during the wait', async () => {
    const person = await signUpAs(service, 'superadmin');
    const after = await lastCursor(service);
    service.statements.length = 0;
    const waiting = getFeed(person.browser, { after, wait: 30 });
    await isWaiting();
    await person.browser.copy().delete('/auth/session');
    expectProblem(await waiting, 'not_authenticated');
  });

  test('gets no events if the role is changed during the wait', async () => {
    const person = await signUpAs(service, 'superadmin');
    const after = await lastCursor(service);
    service.statements.length = 0;
    const waiting = getFeed(person.browser, { after, wait: 30 });
    await isWaiting();
    expect((await changeRole(browser, person, 'admin')).status).toBe(200);
    expectProblem(await waiting, 'forbidden');
  });

  test('ends when the service closes', async () => {
    const other = await startSecondInstance(service);
    const after = await lastCursor(service);
    const waiting = getFeed(other.browser(browser.cookies), { after, wait: 30 });
    await eventually(() => other.auth.statistics().database.succeeded > 4);
    const closing = other.auth.close();
    expect([200, 503]).toContain((await waiting).status);
    await closing;
    await other.close();
  });

  test('is refused if five others of the same user wait in this process', async () => {
    const person = await signUpAs(service, 'superadmin');
    const after = await lastCursor(service);
    const stop = new AbortController();
    const url = `${service.url}/auth/admin/audit/feed?after=${after}&wait=30`;
    const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const started = () => service.statements.filter((text) => /audit_entries\.position >/.test(text)).length;
    service.statements.length = 0;
    const waiting = Array.from({ length: 5 }, () =>
      fetch(url, { headers: { cookie }, signal: stop.signal }).catch(() => null),
    );
    await eventually(() => started() >= 5);
    const refused = await getFeed(person.browser, { after, wait: 1 });
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited']);
    expect((await getFeed(person.browser, { after })).status).toBe(200);
    stop.abort();
    await Promise.all(waiting);
    await eventually(async () => (await getFeed(person.browser, { after, wait: 1 })).status === 200);
  });
});

describe('reading the feed', () => {
  test.each([
    ['a user', 'user'],
    ['an admin', 'admin'],
  ] as const)('is refused to %s, and the log records the refusal', async (_, role) => {
    const reader = await signUpAs(service, role);
    expectProblem(await getFeed(reader.browser), 'forbidden');
    expect((await service.auditRows()).at(-1)).toMatchObject({
      event: 'audit.list',
      outcome: 'failure',
      actor_name: reader.username,
      details: { reason: 'role_too_low' },
    });
  });

  test('is refused to superadmins if the service narrows their capability to read the audit log', async () => {
    const narrowed = await startSecondInstance(service, {
      capabilities: { superadmin: { 'audit:read': 'managed' } },
    });
    expectProblem(await getFeed(narrowed.browser(browser.cookies)), 'forbidden');
    await narrowed.close();
  });

  test('is possible for operators, page by page', async () => {
    const { audit } = service.auth.asOperator('ops');
    const cursor = await lastCursor(service);
    const first = await audit.feed({ limit: 2 });
    expect(first.events).toHaveLength(2);
    expect(first.cursor).toBe(first.events[1]?.cursor);
    expect(await audit.feed({ after: 'end' })).toEqual({ events: [], cursor });
    expect(await audit.feed({ after: cursor, events: ['user.'] })).toEqual({ events: [], cursor });
    for (const request of [
      { after: '7' },
      { after: 7 as never },
      { limit: 0 },
      { events: ['robot.'] },
      { events: [] },
    ])
      await expect(audit.feed(request)).rejects.toThrow(TypeError);
  });
});
