import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem, expectUncached } from '../support/problem.ts';
import { send } from '../support/raw-request.ts';
import { meet, startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { endSessions, setRole } from './support/accounts.ts';
import { exportAudit, exportPath, insertManyEvents, readsBatch, walkAudit } from './support/activity.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { found, signUpAs, signUpMember } from './support/authority.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
  await signUp(service);
});
afterAll(() => service.close());

/** The ids of all rows, in the order of an export. */
async function idsInTable(): Promise<string[]> {
  const rows = await service.database.sql<{ id: string }[]>`
    select id from latchkey.audit_events order by at, id`;
  return rows.map(({ id }) => id);
}

const idsOf = (events: AuditEvent[]) => events.map(({ id }) => id);
const ownRows = async (person: Person, event = 'audit.export') =>
  (await service.auditRows()).filter((row) => row.event === event && row.actor_id === userIdOf(person));

describe('an export', () => {
  test('is an uncached file with one event per line, oldest first', async () => {
    const { answer, events } = await exportAudit(superadmin.browser);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="latchkey-audit.ndjson"');
    expectUncached(answer);
    expect(idsOf(events)).toEqual(await idsInTable());
    expect(events).toEqual((await walkAudit(superadmin.browser, { limit: 200 })).events.toReversed());
  });

  test('writes one `audit.export` event, and ends with that event', async () => {
    const reader = await signUpAs(service, 'superadmin');
    const { answer, events } = await exportAudit(reader.browser);
    expect(events.at(-1)).toEqual({
      id: expect.any(String),
      at: expect.any(String),
      event: 'audit.export',
      outcome: 'success',
      actor: { type: 'user', id: userIdOf(reader), name: reader.username },
      impersonator: null,
      target: null,
      organizationId: null,
      ip: '127.0.0.1',
      userAgent: 'node',
      requestId: answer.headers.get('x-request-id'),
      details: {},
      count: 1,
    });
    expect(await ownRows(reader)).toHaveLength(1);
  });

  test('contains its own `audit.export` event only if the filter matches that event', async () => {
    const reader = await signUpAs(service, 'superadmin');
    const exported = async (filter: Record<string, string>) =>
      (await exportAudit(reader.browser, { actorId: userIdOf(reader), ...filter })).events.map(
        ({ event }) => event,
      );
    expect(await exported({ event: 'account.' })).toEqual(['account.signup']);
    expect(await exported({ outcome: 'failure' })).toEqual([]);
    expect(await exported({ event: 'audit.' })).toEqual(['audit.export', 'audit.export', 'audit.export']);
    expect(await ownRows(reader)).toHaveLength(3);
  });

  test('by an admin contains the same events as the admin’s list', async () => {
    const admin = await signUpAs(service, 'admin');
    await signUpMember(service, admin.browser, await found(admin.browser));
    const { events } = await exportAudit(admin.browser);
    expect(events[0]?.event).toBe('organization.create');
    expect(events.length).toBeGreaterThan(1);
    expect(events.toReversed()).toEqual((await walkAudit(admin.browser, {})).events);
    // The event of an export belongs to no organization, so admins do not see it.
    expect(await ownRows(admin)).toHaveLength(1);
    expect(events.map(({ event }) => event)).not.toContain('audit.export');
  });

  test('by an operator writes an event with the operator’s name', async () => {
    const batches = await service.auth.asOperator('night shift').audit.export({ event: 'audit.' });
    const events: AuditEvent[] = [];
    for await (const batch of batches) events.push(...batch);
    expect(events.at(-1)).toMatchObject({
      event: 'audit.export',
      outcome: 'success',
      actor: { type: 'operator', id: null, name: 'night shift' },
      ip: null,
      requestId: null,
    });
  });

  test('responds to a HEAD request without reading the log', async () => {
    const [name, value] = [...superadmin.browser.cookies].find(([cookie]) => cookie === 'latchkey') ?? [];
    service.statements.length = 0;
    const answer = await send(service.url, exportPath, {
      method: 'HEAD',
      headers: { Cookie: `${name}=${value}` },
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'content-disposition': 'attachment; filename="latchkey-audit.ndjson"',
      'cache-control': 'no-store',
    });
    expect(service.statements.filter((statement) => readsBatch.test(statement))).toEqual([]);
  });
});

describe('a log longer than one batch', () => {
  test.each([
    ['whose events all have the same time', `timestamptz '2001-01-01Z'`, 2500],
    ['with one event per microsecond', `timestamptz '2002-01-01Z' + n * interval '1 microsecond'`, 2500],
    ['that ends with a full batch', `timestamptz '2003-01-01Z'`, 2000],
  ])('%s is exported completely', async (_, at, count) => {
    await insertManyEvents(service, count, { at });
    const { events } = await exportAudit(superadmin.browser);
    expect(idsOf(events)).toEqual(await idsInTable());
    expect(events.length).toBeGreaterThan(count);
  });

  test('is exported completely for one organization', async () => {
    const admin = await signUpAs(service, 'admin');
    const { id } = await found(admin.browser);
    await service.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, organization_id, details)
      select gen_random_uuid(), '2004-01-01Z', 'member.add', 'success', 'system', ${id}, '{}'
      from generate_series(1, 2500)`;
    const { events } = await exportAudit(admin.browser, { organizationId: id });
    expect(new Set(idsOf(events)).size).toBe(2501);
    expect(idsOf(events.slice(0, 2500))).toEqual(idsOf(events.slice(0, 2500)).sort());
  });

  test('is exported without the events that are written during the export', async () => {
    const before = await idsInTable();
    let batches = 0;
    const instance = await startSecondInstance(service, {}, async (statement) => {
      if (!readsBatch.test(statement)) return;
      batches += 1;
      await insertManyEvents(service, 1500);
    });
    try {
      const { answer, events } = await exportAudit(instance.browser(superadmin.browser.cookies));
      expect(batches).toBe(Math.floor((before.length + 1) / 1000) + 1);
      expect(idsOf(events.slice(0, -1))).toEqual(before);
      expect(events.at(-1)?.requestId).toBe(answer.headers.get('x-request-id'));
    } finally {
      await instance.close();
    }
  });
});

describe('an export does not start', () => {
  test.each([
    ['role', 'forbidden', 'role_too_low', (person: Person) => setRole(service, person, 'user')],
    ['session', 'not_authenticated', 'session_ended', (person: Person) => endSessions(service, person)],
  ] as const)('when the caller loses the %s just before the start', async (_, code, reason, change) => {
    const reader = await signUpAs(service, 'superadmin');
    let ended = false;
    const { answer, changed } = await meet(service, {
      act: (instance) => instance.browser(reader.browser.cookies).get(exportPath),
      before: /insert into latchkey\.audit_events/,
      change: async () => {
        if (ended) return { count: 0 };
        ended = true;
        return change(reader);
      },
    });
    expect(changed).toBe(1);
    expectProblem(answer, code);
    const rows = await wholeAuditRowsOf(service, answer);
    expect(rows.map((row) => [row.event, row.outcome, row.details])).toEqual(
      reason ? [['audit.export', 'failure', { reason }]] : [],
    );
  });
});
