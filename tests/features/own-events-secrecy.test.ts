import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer, TestAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { auditRowsOf } from './support/audit-log.ts';
import { found, organizationsPath, signUpAs, usersPath } from './support/authority.ts';
import { signUpWith, startFieldsService } from './support/own-fields.ts';
import { inviteUser, userInvitationsPath } from './support/sign-ups.ts';

const unknownId = '00000000-0000-7000-8000-000000000001';

async function ownEvents({ browser }: Pick<Person, 'browser'>): Promise<AuditEvent[]> {
  const { status, body } = await browser.get('/auth/account/events?limit=200');
  if (status !== 200) throw new Error(`the events returned ${status} ${body.code}`);
  return body.events;
}

/** The events without what differs in each request. */
const comparable = (events: AuditEvent[]) =>
  events.map(({ id: _id, at: _at, requestId: _requestId, ...event }) => event);

/** Sends a step-up with this credential id, signed by another passkey. */
async function stepUpWith(browser: TestAgent, credentialId: string, ownKey: Person['authenticator']) {
  const { options } = (await browser.post('/auth/passkey/stepup/start', {})).body;
  const credential = await ownKey.get(options);
  return browser.post('/auth/passkey/stepup/verify', {
    credential: { ...credential, id: credentialId, rawId: credentialId },
  });
}

describe('the events of an account', () => {
  let service: TestService;
  let superadmin: Person;
  beforeAll(async () => {
    service = await startTestService();
    superadmin = await signUpAs(service, 'superadmin');
  });
  afterAll(() => service.close());

  test.each<[what: string, request: (asking: Person, other: Person) => Promise<[Answer, Answer]>]>([
    [
      'an organization',
      async ({ browser }) => {
        const { id } = await found(superadmin.browser, { name: 'Secret project' });
        const read = (organizationId: string) =>
          browser.patch(`${organizationsPath}/${organizationId}`, { name: 'Mine' });
        return [await read(id), await read(unknownId)];
      },
    ],
    [
      'a user of other organizations',
      async ({ browser }, other) => {
        const read = (id: string) => browser.get(`${usersPath}/${id}`);
        return [await read(userIdOf(other)), await read(unknownId)];
      },
    ],
    [
      'an invitation of another user',
      async ({ browser }) => {
        const { id } = await inviteUser(superadmin.browser);
        const revoke = (invitationId: string) => browser.delete(`${userInvitationsPath}/${invitationId}`);
        return [await revoke(id), await revoke(unknownId)];
      },
    ],
  ])('do not reveal to an admin that %s exists', async (_what, request) => {
    const admin = await signUpAs(service, 'admin');
    await found(admin.browser);
    const before = await ownEvents(admin);
    const [known, unknown] = await request(admin, await signUp(service));
    expect([known.status, unknown.status]).toEqual([404, 404]);
    expect(await auditRowsOf(service, known)).toMatchObject([{ outcome: 'failure' }]);
    expect(await ownEvents(admin)).toEqual(before);
  });

  test('do not reveal which credential ids belong to other accounts', async () => {
    const eve = await signUp(service);
    const ada = await signUp(service);
    const [known] = ada.authenticator.credentials;
    const before = await ownEvents(eve);
    const answer = await stepUpWith(eve.browser, known?.id ?? '', eve.authenticator);
    const [ofAda, ...earlier] = await ownEvents(eve);
    expect(earlier).toEqual(before);
    await stepUpWith(eve.browser, Buffer.alloc(32, 7).toString('base64url'), eve.authenticator);
    const [ofNobody] = await ownEvents(eve);
    expect(await auditRowsOf(service, answer)).toMatchObject([{ target_id: userIdOf(ada) }]);
    expect(comparable([ofAda as AuditEvent])).toEqual(comparable([ofNobody as AuditEvent]));
    const [seen] = await ownEvents(ada);
    expect(seen).toMatchObject({
      event: 'passkey.stepup',
      outcome: 'failure',
      actor: { id: userIdOf(eve), name: null },
      target: { id: userIdOf(ada) },
      ip: null,
    });
  });
});

test('the events of an account do not name changed fields that the user cannot read', async () => {
  const service = await startFieldsService();
  try {
    const ada = await signUpWith(service);
    const { users } = service.auth.asOperator('ops');
    const update = users.update as (username: string, changes: object) => Promise<unknown>;
    await update(ada.username, { displayName: 'Ada', fields: { remark: 'late', plan: 'pro' } });
    await update(ada.username, { fields: { crmId: '7' } });
    const changes = (await ownEvents(ada)).filter(({ event }) => event === 'user.update');
    expect(changes.map(({ details }) => details)).toEqual([
      { changed: '' },
      { changed: 'displayName, plan' },
    ]);
  } finally {
    await service.close();
  }
});
