import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTurn } from '../support/many-requests.ts';
import { type Person, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { exportAudit, listAudit } from './support/activity.ts';
import { signUpAs } from './support/authority.ts';
import { listenTo } from './support/hooks.ts';
import { addPassword, logInByPassword, wrongPassword } from './support/passwords.ts';
import { useLink } from './support/recovery.ts';
import { sendRefusedSignIns } from './support/refused-requests.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
  superadmin = await signUpAs(service, 'superadmin');
  await addPassword(superadmin.browser);
});
afterAll(() => service.close());

/** Starts a process with the default threshold. When it closes, it records what it has counted. */
const start = () => startSecondInstance(service, { auditBurstThreshold: undefined, bcryptCost: 4 });

test('superadmins and operators see the number of refusals of each event, in the list and in the export', async () => {
  const instance = await start();
  await sendRefusedSignIns(instance, 100);
  await instance.close();
  const filter = { event: 'passkey.login', outcome: 'failure' } as const;
  const { events } = (await listAudit(superadmin.browser, filter)).body;
  expect(events).toHaveLength(11);
  expect(events[0]).toEqual({
    id: expect.stringMatching(/^[\da-f-]{36}$/),
    at: expect.any(String),
    ...filter,
    actor: { type: 'anonymous', id: null, name: null },
    impersonator: null,
    target: null,
    organizationId: null,
    ip: '127.0.0.1',
    userAgent: null,
    requestId: null,
    details: {
      reason: 'challenge_unknown',
      firstAt: expect.stringMatching(/Z$/),
      lastAt: expect.stringMatching(/Z$/),
    },
    count: 90,
  });
  const [{ at, details }] = events;
  expect(details.firstAt <= details.lastAt && details.lastAt <= at).toBe(true);
  expect(events.slice(1).every(({ count }: AuditEvent) => count === 1)).toBe(true);
  expect((await exportAudit(superadmin.browser, filter)).events).toEqual(events.toReversed());
  const listed = await service.auth.asOperator('ops').audit.list(filter);
  expect(listed.events).toEqual(events);
});

test('the refusals about an account are found by its id', async () => {
  const instance = await start();
  await inTurn(25, () => logInByPassword(instance.browser(), superadmin, wrongPassword));
  await instance.close();
  const answer = await listAudit(superadmin.browser, { targetId: userIdOf(superadmin), outcome: 'failure' });
  const events: AuditEvent[] = answer.body.events;
  expect(events.map(({ count }) => count)).toEqual([15, ...Array(10).fill(1)]);
  expect(events[0]).toMatchObject({
    target: { type: 'user', id: userIdOf(superadmin), name: superadmin.username },
    details: { reason: 'password_wrong' },
  });
});

test('the handlers of `auth.on` get events whose counts add up to the number of refusals', async () => {
  const instance = await start();
  const { heard } = listenTo(instance.auth, 'recovery_link.use');
  await inTurn(40, () => useLink(instance.browser(), 'A'.repeat(43)));
  await instance.close();
  const total = heard.reduce((sum, { count }) => sum + count, 0);
  expect([heard.length, total]).toEqual([11, 40]);
});

test('`auth.statistics` counts every refusal at once', async () => {
  const instance = await start();
  await sendRefusedSignIns(instance, 30);
  expect(instance.auth.statistics().operations).toMatchObject([
    { operation: 'finishLogin', code: 'authentication_failed', count: 30 },
  ]);
  await instance.close();
});
