import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Person, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { endSessions, setRole } from './support/accounts.ts';
import { exportAudit, exportPath, insertManyEvents, listAudit, readsBatch } from './support/activity.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { found, organizationsPath, signUpAs } from './support/authority.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await insertManyEvents(service, 5000, { at: `timestamptz '2001-01-01Z'` });
});
afterAll(() => service.close());

/** Runs an export, and calls `change` before the export reads its second batch. */
async function exportDuring(person: Person, change: () => Promise<unknown>) {
  let read = 0;
  const instance = await startSecondInstance(service, {}, async (statement) => {
    if (readsBatch.test(statement) && ++read === 2) await change();
  });
  try {
    const outcome = await exportAudit(instance.browser(person.browser.cookies)).then(
      () => 'complete',
      () => 'aborted',
    );
    return { outcome, read };
  } finally {
    await instance.close();
  }
}

describe('a running export is aborted', () => {
  test('when the caller loses the role', async () => {
    const reader = await signUpAs(service, 'superadmin');
    expect(await exportDuring(reader, () => setRole(service, reader, 'user'))).toEqual({
      outcome: 'aborted',
      read: expect.toSatisfy((read: number) => read <= 2),
    });
  });

  test('when the caller’s session ends', async () => {
    const reader = await signUpAs(service, 'superadmin');
    expect(await exportDuring(reader, () => endSessions(service, reader))).toMatchObject({
      outcome: 'aborted',
    });
  });

  test('when the caller is no longer an organization admin', async () => {
    const admin = await signUpAs(service, 'admin');
    const { id } = await found(admin.browser);
    await service.database.sql`
      insert into latchkey.audit_events (id, at, event, outcome, actor_type, organization_id, details)
      select gen_random_uuid(), '2004-01-01Z', 'member.add', 'success', 'system', ${id}, '{}'
      from generate_series(1, 2500)`;
    const leave = () =>
      service.database.sql`delete from latchkey.memberships where user_id = ${userIdOf(admin)}`;
    expect(await exportDuring(admin, leave)).toMatchObject({ outcome: 'aborted' });
  });
});

test('an export returns 503 if the database fails before the first batch', async () => {
  const reader = await signUpAs(service, 'superadmin');
  const instance = await startSecondInstance(service, {}, (statement) => {
    if (readsBatch.test(statement)) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' });
  });
  try {
    expectProblem(await instance.browser(reader.browser.cookies).get(exportPath), 'unavailable');
  } finally {
    await instance.close();
  }
});

test('a cursor with the id of an unknown event is rejected', async () => {
  const reader = await signUpAs(service, 'superadmin');
  const cursor = Buffer.from(crypto.randomUUID()).toString('base64url');
  expect((await listAudit(reader.browser, { cursor })).status).toBe(400);
});

test('a HEAD request to the export writes no audit event', async () => {
  const reader = await signUpAs(service, 'superadmin');
  const answer = await reader.browser.request('HEAD', exportPath);
  expect(await wholeAuditRowsOf(service, answer)).toEqual([]);
});

test('creating an organization with a taken slug writes an audit event without an organization', async () => {
  const admin = await signUpAs(service, 'admin');
  const { slug } = await found(admin.browser);
  const answer = await admin.browser.post(organizationsPath, { name: 'Second', slug });
  expectProblem(answer, 'slug_taken');
  expect(await wholeAuditRowsOf(service, answer)).toMatchObject([{ target_id: null, organization_id: null }]);
});

test('an operator who filters by an unknown event prefix gets an error that shows no internals', async () => {
  const { audit } = service.auth.asOperator('ops');
  await expect(audit.list({ event: 'nothing.' })).rejects.not.toThrow('join([])');
});
