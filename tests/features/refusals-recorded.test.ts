import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chapters } from '../../src/api/openapi/chapters.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { wholeAuditRowsOf } from './support/audit-log.ts';
import { found, signUpAs } from './support/authority.ts';
import { enterByPassword, signUpWithPassword } from './support/passwords.ts';
import { startRecovering } from './support/recovery.ts';

const unknownId = '00000000-0000-7000-8000-000000000000';
const declared = chapters.flatMap(({ endpoints }) => Object.values(endpoints));

/** The method and path of an endpoint. The organization in the path exists, and all other ids are unknown. */
const requestOf = (on: string, organizationId: string) => {
  const [method = '', path = ''] = on.split(' ');
  return [
    method,
    `/auth${path.replace('/organizations/:id', `/organizations/${organizationId}`).replaceAll(/:\w+/g, unknownId)}`,
  ] as const;
};

let service: TestService;
let superadmin: Person;
let stale: Person;
let stranger: Person;
let unprivileged: Person;
let organization: { id: string };
beforeAll(async () => {
  service = await startTestService({ impersonation: true });
  superadmin = await signUpAs(service, 'superadmin');
  organization = await found(superadmin.browser);
  stale = await signUpAs(service, 'superadmin');
  stranger = await signUp(service);
  const withPassword = await signUpWithPassword(service);
  await setRole(service, withPassword, 'superadmin');
  unprivileged = await enterByPassword(service, withPassword);
  await service.database.sql`
    update latchkey.sessions set authenticated_at = authenticated_at - interval '1 hour'
    where user_id = ${userIdOf(stale)}`;
});
afterAll(() => service.close());

const send = ({ browser }: Pick<Person, 'browser'>, on: string) => {
  const [method, path] = requestOf(on, organization.id);
  return method === 'GET'
    ? browser.get(path)
    : browser.request(method, path, '{}', { 'Content-Type': 'application/json' });
};

test('every endpoint that changes data and requires a capability or fresh authentication declares an audit event', () => {
  const silent = declared.filter(
    ({ on, access, requires, event }) =>
      !on.startsWith('GET ') &&
      (requires || access === 'fresh' || access === 'fresh_or_recovering') &&
      !event,
  );
  expect(silent.map(({ on }) => on)).toEqual([]);
});

describe('a request that is rejected before its handler runs is recorded as an event of the endpoint:', () => {
  const withEvent = declared.filter(({ event, access }) => event !== undefined && access !== 'none');

  test.each(withEvent.filter(({ access }) => access === 'fresh' || access === 'fresh_or_recovering'))(
    '$on without fresh authentication',
    async ({ on, event }) => {
      const answer = await send(stale, on);
      expectProblem(answer, 'reauthentication_required');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event,
          outcome: 'failure',
          actor_id: userIdOf(stale),
          details: { reason: 'reauthentication_required' },
        },
      ]);
    },
  );

  const needsPasskey = withEvent.filter(
    ({ on, access, requires }) =>
      (requires !== undefined || access !== 'full_session') &&
      // Any member can leave an organization.
      on !== 'DELETE /organizations/:id/membership',
  );
  test.each(needsPasskey)(
    '$on by a superadmin who has a passkey and signed in with the password',
    async ({ on, event }) => {
      const answer = await send(unprivileged, on);
      expectProblem(answer, 'passkey_required');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        {
          event,
          outcome: 'failure',
          actor_id: userIdOf(unprivileged),
          details: { reason: 'passkey_required' },
        },
      ]);
    },
  );

  test('every endpoint that requires a full session, called in a recovery session', async () => {
    const { person, browser } = await startRecovering(service);
    for (const { on, event } of withEvent.filter(
      ({ access }) => access === 'fresh' || access === 'full_session',
    )) {
      const answer = await send({ browser }, on);
      expectProblem(answer, 'recovery_session');
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        { event, outcome: 'failure', actor_id: userIdOf(person), details: { reason: 'recovery_session' } },
      ]);
    }
  });

  test.each(withEvent.filter(({ requires }) => requires !== undefined))(
    '$on without the capability $requires',
    async ({ on, event }) => {
      const answer = await send(stranger, on);
      expect([403, 404]).toContain(answer.status);
      expect(await wholeAuditRowsOf(service, answer)).toMatchObject([
        { event, outcome: 'failure', actor_id: userIdOf(stranger) },
      ]);
    },
  );
});

test('a rejected request to an endpoint without an event writes no audit row', async () => {
  const reading = declared.filter(({ requires, event }) => requires !== undefined && event === undefined);
  expect(reading.length).toBeGreaterThan(1);
  for (const { on } of reading) {
    const answer = await send(stranger, on);
    expectProblem(answer, 'not_found');
    expect(await wholeAuditRowsOf(service, answer)).toEqual([]);
  }
});
