import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { logIn, type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { insertEvents, insertManyEvents, listAudit, walkAudit } from './support/activity.ts';
import { auditPath, found, organizationsPath, signUpAs, signUpMember } from './support/authority.ts';

let service: TestService;
let superadmin: Person;
let admin: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  admin = await signUpAs(service, 'admin');
  organization = await found(admin.browser);
});
afterAll(() => service.close());

/** Reads from the table the ids of all rows between two times, newest first. */
async function idsBetween(from: string, to: string): Promise<string[]> {
  const rows = await service.database.sql<{ id: string }[]>`
    select id from latchkey.audit_events where at >= ${from} and at < ${to} order by at desc, id desc`;
  return rows.map(({ id }) => id);
}

const idsOf = (events: AuditEvent[]) => events.map(({ id }) => id);
const between = (year: number) => ({ from: `${year}-01-01T00:00:00Z`, to: `${year + 1}-01-01T00:00:00Z` });

describe('paging through the log', () => {
  test('shows each event exactly once, even if many events have the same time', async () => {
    const range = between(2001);
    const tie = { at: '2001-06-01T12:00:00.5Z', organizationId: organization.id };
    await insertEvents(service, Array(23).fill(tie));
    const expected = await idsBetween(range.from, range.to);
    for (const { browser } of [superadmin, admin]) {
      for (const limit of [1, 2, 5, 22, 23, 24]) {
        const { events, pages } = await walkAudit(browser, { ...range, limit });
        expect(idsOf(events)).toEqual(expected);
        expect(pages).toBe(Math.ceil(23 / limit));
      }
    }
  });

  test('shows each event exactly once, even if several events have the same millisecond', async () => {
    const range = between(2003);
    const micros = Array.from({ length: 40 }, (_, n) => `${100 + n}`);
    const given = micros.map((micro) => ({
      at: `2003-06-01T12:00:00.123${micro}Z`,
      organizationId: organization.id,
    }));
    const ids = await insertEvents(service, given);
    for (const { browser } of [superadmin, admin]) {
      const { events } = await walkAudit(browser, { ...range, limit: 7 });
      expect(idsOf(events)).toEqual(ids.toReversed());
      expect(new Set(events.map(({ at }) => at))).toEqual(new Set(['2003-06-01T12:00:00.123Z']));
    }
  });

  test.each([
    ['a superadmin', () => superadmin],
    ['an admin', () => admin],
  ])('as %s neither skips nor repeats an event while new events are written', async (_, reader) => {
    const writer = await signUpMember(service, admin.browser, organization);
    // The rejected change is an event of the organization.
    const write = () => writer.browser.patch(`${organizationsPath}/${organization.id}`, { name: 'Renamed' });
    for (let round = 0; round < 21; round += 1) expect((await write()).status).toBe(403);
    const filter = { actorId: userIdOf(writer), organizationId: organization.id, limit: 3 };
    const before = (await walkAudit(superadmin.browser, { ...filter, limit: 200 })).events;
    expect(before.length).toBeGreaterThan(20);
    let written = 0;
    const walked = await walkAudit(reader().browser, filter, async () => {
      await Promise.all([write(), write(), insertManyEvents(service, 10)]);
      written += 2;
    });
    expect(walked.pages).toBeGreaterThan(6);
    const shown = idsOf(walked.events);
    expect(new Set(shown).size).toBe(shown.length);
    // Events written during the first request can appear on the first page, but on no other page.
    expect(shown.slice(-before.length)).toEqual(idsOf(before));
    expect(shown.length - before.length).toBeLessThanOrEqual(2);
    expect((await walkAudit(reader().browser, { ...filter, limit: 200 })).events).toHaveLength(
      before.length + written,
    );
  });

  test('applies the filter to every page, and accepts a cursor from a list with another filter', async () => {
    const range = between(2005);
    const events = [
      'passkey.login',
      'passkey.add',
      'member.add',
      'passkey.login',
      'passkey.rename',
      'passkey.add',
    ];
    const ids = await insertEvents(
      service,
      events.map((event, day) => ({ event, at: `2005-01-0${day + 1}T00:00:00Z` })),
    );
    const filter = { ...range, event: 'passkey.', limit: 2 };
    const { events: walked, pages } = await walkAudit(superadmin.browser, filter);
    expect([idsOf(walked), pages]).toEqual([[5, 4, 3, 1, 0].map((n) => ids[n]), 3]);
    const first = await listAudit(superadmin.browser, filter);
    const { body } = await listAudit(superadmin.browser, { ...range, cursor: first.body.nextCursor });
    expect(idsOf(body.events)).toEqual([3, 2, 1, 0].map((n) => ids[n]));
  });
});

describe('a page', () => {
  test('lists the newest event first, with every field', async () => {
    const person = await signUp(service);
    const { status, headers } = await logIn(service.browser(), person.authenticator);
    expect(status).toBe(200);
    const answer = await listAudit(superadmin.browser, { actorId: userIdOf(person) });
    expectUncached(answer);
    const { passkey } = person.signedUp.body;
    const origin = { ip: '127.0.0.1', userAgent: 'node', organizationId: null, impersonator: null };
    const common = { ...origin, outcome: 'success', count: 1 };
    const actor = { type: 'user', id: userIdOf(person), name: person.username };
    const id = expect.stringMatching(/^[\da-f-]{36}$/);
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.body).toEqual({
      events: [
        {
          ...{ id, at, ...common, actor, event: 'passkey.login', details: {} },
          target: { type: 'passkey', id: passkey.id, name: person.username },
          requestId: headers.get('x-request-id'),
        },
        {
          ...{ id, at, ...common, actor, event: 'account.signup' },
          target: { type: 'user', id: userIdOf(person), name: person.username },
          requestId: person.signedUp.headers.get('x-request-id'),
          details: { passkeyId: passkey.id, aaguid: '00000000-0000-0000-0000-000000000000' },
        },
      ],
      nextCursor: null,
    });
  });

  test('has 50 events by default, and 1 to 200 on request', async () => {
    const range = between(2007);
    await insertManyEvents(service, 201, { at: `timestamptz '2007-07-07Z'` });
    const lengthOf = async (limit?: number) => {
      const { body } = await listAudit(superadmin.browser, { ...range, limit });
      return [body.events.length, body.nextCursor === null];
    };
    expect(await lengthOf()).toEqual([50, false]);
    expect(await lengthOf(1)).toEqual([1, false]);
    expect(await lengthOf(200)).toEqual([200, false]);
    const { pages } = await walkAudit(superadmin.browser, { ...range, limit: 200 });
    expect(pages).toBe(2);
  });

  test.each(['0', '201', '1000', '-1', '1.5', '1e2', 'all', '', '%205', '٣', '0x10', '5&limit=6'])(
    'with limit=%s is rejected',
    async (limit) => {
      const answer = await superadmin.browser.get(`${auditPath}?limit=${limit}`);
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'limit' }] } });
    },
  );
});

describe('a cursor', () => {
  const message = 'expected the nextCursor of the previous page';
  const realCursor = async (): Promise<string> =>
    (await listAudit(superadmin.browser, { limit: 1 })).body.nextCursor;

  test.each<[name: string, tamper: (cursor: string) => string]>([
    ['that is truncated', (cursor) => cursor.slice(0, -1)],
    ['with an extra character', (cursor) => `${cursor}A`],
    ['with padding', (cursor) => `${cursor}==`],
    ['with a space before it', (cursor) => ` ${cursor}`],
    ['in capitals', (cursor) => cursor.toUpperCase()],
    ['that encodes an id in capitals', (cursor) => encode(decode(cursor).toUpperCase())],
    ['that is an id without encoding', decode],
    ['from another list', () => encode('a-username')],
    ['that encodes SQL', () => encode(`' or 1 = 1 --`)],
    ['that encodes NUL', () => encode('\0')],
    ['that encodes invalid UTF-8', () => Buffer.from([255, 254]).toString('base64url')],
    ['that is empty', () => ''],
    ['with 10,000 characters', () => 'A'.repeat(10_000)],
  ])('%s is rejected', async (_, tamper) => {
    for (const { browser } of [superadmin, admin]) {
      const answer = await listAudit(browser, { cursor: tamper(await realCursor()) });
      expectProblem(answer, 'invalid_request', { errors: [{ path: 'cursor', message }] });
    }
  });

  test('is rejected when it is given twice', async () => {
    const cursor = await realCursor();
    const answer = await superadmin.browser.get(`${auditPath}?cursor=${cursor}&cursor=${cursor}`);
    expectProblem(answer, 'invalid_request', { errors: [{ path: 'cursor', message }] });
  });

  test('is rejected by an export', async () => {
    const answer = await superadmin.browser.get(`${auditPath}/export?cursor=${await realCursor()}`);
    expectProblem(answer, 'invalid_request', {
      errors: [{ path: 'cursor', message: 'this property is unknown' }],
    });
  });

  test('from another user’s list returns only events that the caller can see', async () => {
    const cursor = await realCursor();
    const { body } = await listAudit(admin.browser, { cursor, limit: 200 });
    const own = await walkAudit(admin.browser, { limit: 200 });
    for (const id of idsOf(body.events)) expect(idsOf(own.events)).toContain(id);
  });
});

const encode = (text: string) => Buffer.from(text).toString('base64url');
const decode = (cursor: string) => Buffer.from(cursor, 'base64url').toString();

test('operators read the same pages as superadmins', async () => {
  const range = between(2001);
  const { audit } = service.auth.asOperator('ops');
  const asked = { from: new Date(range.from), to: new Date(range.to) };
  const seen: AuditEvent[] = [];
  for (let cursor: string | undefined; ; ) {
    const { events, nextCursor } = await audit.list({ ...asked, limit: 9, cursor });
    seen.push(...events);
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  expect(seen).toEqual((await walkAudit(superadmin.browser, range)).events);
  expect(seen).toHaveLength(23);
});
