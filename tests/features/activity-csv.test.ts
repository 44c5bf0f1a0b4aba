import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectUncached } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { exportPath, insertManyEvents, listAudit, walkAudit } from './support/activity.ts';
import { signUpAs } from './support/authority.ts';

const expectInvalid = ({ status, body }: Answer) =>
  expect([status, body.code]).toEqual([400, 'invalid_request']);

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  await signUp(service);
});
afterAll(() => service.close());

/** Reads records as RFC 4180 describes them. */
function recordsOf(text: string): string[][] {
  const records: string[][] = [];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    const last = records.at(-1);
    const value = quoted?.replaceAll('""', '"') ?? plain ?? '';
    if (!last || last.at(-1) === '\r\n') records.push([value]);
    else last.push(value);
    if (end === '\r\n') records.at(-1)?.push('\r\n');
  }
  return records.map((record) => record.slice(0, -1));
}

const csv = async (query = '') => {
  const answer = await superadmin.browser.get(`${exportPath}?format=csv${query}`);
  return { answer, records: recordsOf(`${answer.body}`) };
};

describe('an export as CSV', () => {
  test('is an uncached file with a header line and one event per line, oldest first', async () => {
    const { answer, records } = await csv();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="latchkey-audit.csv"');
    expectUncached(answer);
    const [header = [], ...rows] = records;
    expect(header.slice(0, 5)).toEqual(['id', 'at', 'event', 'outcome', 'count']);
    const { events } = await walkAudit(superadmin.browser, { limit: 200 });
    expect(rows).toEqual(
      events
        .toReversed()
        .map((event: AuditEvent) => [
          event.id,
          event.at,
          event.event,
          event.outcome,
          `${event.count}`,
          event.actor.type,
          event.actor.id ?? '',
          event.actor.name ?? '',
          event.impersonator?.type ?? '',
          event.impersonator?.id ?? '',
          event.impersonator?.name ?? '',
          event.target?.type ?? '',
          event.target?.id ?? '',
          event.target?.name ?? '',
          event.organizationId ?? '',
          event.ip ?? '',
          event.userAgent ?? '',
          event.requestId ?? '',
          JSON.stringify(event.details),
        ]),
    );
  });

  test('contains no formula from a User-Agent header', async () => {
    await service.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, actor_name, user_agent, details)
      values (gen_random_uuid(), now(), 'user.get', 'success', 'operator', '@ops', 'a;=cmd|1', '{}')`;
    const { records } = await csv('&event=user.get');
    expect(records.at(-1)?.slice(7, 8)).toEqual(["'@ops"]);
    expect(records.at(-1)?.[16]).toBe("a;'=cmd|1");
  });

  test('has every batch, and the header only once', async () => {
    await insertManyEvents(service, 2500, { event: 'session.logout' });
    const { records } = await csv('&event=session.logout');
    expect(records).toHaveLength(2501);
    expect(new Set(records.map(([id]) => id)).size).toBe(2501);
  });

  test('with another format is rejected', async () => {
    expectInvalid(await superadmin.browser.get(`${exportPath}?format=xlsx`));
    expectInvalid(await superadmin.browser.get(`${exportPath}?format=csv&format=csv`));
  });
});

describe('several event names', () => {
  test('find each event with one of the names once', async () => {
    const answer = await listAudit(superadmin.browser, {
      event: 'account.signup,account.,user.get',
      limit: 200,
    });
    const names: string[] = answer.body.events.map(({ event }: AuditEvent) => event);
    expect(names.sort()).toEqual(['account.signup', 'account.signup', 'user.get']);
  });

  test.each([
    'account.signup,',
    ',account.signup',
    'account.signup, user.get',
    'account.signup,nothing',
    `${'x.,'.repeat(3)}user.get`,
  ])('are rejected if one is unknown, or if there are too many: %s', async (event) => {
    expectInvalid(await listAudit(superadmin.browser, { event }));
  });
});

test('a filter with an unknown user id finds no events', async () => {
  for (const name of ['actorId', 'targetId', 'impersonatorId'])
    expect(
      (await listAudit(superadmin.browser, { [name]: '00000000-0000-0000-0000-000000000000' })).body,
    ).toEqual({
      events: [],
      nextCursor: null,
    });
});
