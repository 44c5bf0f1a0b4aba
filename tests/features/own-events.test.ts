import type { AuditEvent } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { addPasskey, logIn, newAuthenticator, type Person, signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { insertEvents } from './support/activity.ts';
import { signUpAs, usersPath } from './support/authority.ts';
import { operatorAs } from './support/impersonation.ts';
import { logInByPassword, signUpWithPassword, wrongPassword } from './support/passwords.ts';

const path = '/auth/account/events';

const expectInvalid = ({ status, body }: Answer) =>
  expect([status, body.code]).toEqual([400, 'invalid_request']);

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService({ impersonation: true });
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

async function ownEvents({ browser }: Pick<Person, 'browser'>, query = ''): Promise<AuditEvent[]> {
  const { status, body } = await browser.get(`${path}?${query}`);
  if (status !== 200) throw new Error(`the events returned ${status} ${body.code}`);
  return body.events;
}
const endSessionsOf = (person: Person) =>
  superadmin.browser.delete(`${usersPath}/${userIdOf(person)}/sessions`);
const namesOf = (events: AuditEvent[]) => events.map(({ event }) => event);

describe('the events of an account', () => {
  test('are those by the user and those about the user, newest first, and no others', async () => {
    const ada = await signUp(service);
    await signUp(service);
    const browser = service.browser();
    await endSessionsOf(ada);
    await logIn(browser, ada.authenticator);
    const events = await ownEvents({ browser });
    expect(namesOf(events)).toEqual(['passkey.login', 'user.end_sessions', 'account.signup']);
    expect(events[0]).toMatchObject({
      actor: { id: userIdOf(ada), name: ada.username },
      ip: '127.0.0.1',
      userAgent: 'node',
    });
  });

  test('contain no name, address or browser of another user', async () => {
    const ada = await signUp(service);
    const browser = service.browser();
    await endSessionsOf(ada);
    await logIn(browser, ada.authenticator);
    const [, ended] = await ownEvents({ browser });
    expect(ended).toMatchObject({
      event: 'user.end_sessions',
      actor: { type: 'user', id: userIdOf(superadmin), name: null },
      target: { type: 'user', id: userIdOf(ada), name: ada.username },
      ip: null,
      userAgent: null,
      requestId: null,
    });
    expect(JSON.stringify(ended)).not.toContain(superadmin.username);
  });

  test('contain no name of an operator, as actor or as impersonator', async () => {
    const ada = await signUp(service);
    await (await operatorAs(service, ada)).delete('/auth/session');
    const events = await ownEvents(ada);
    const operator = { type: 'operator', name: null };
    expect(events).toContainEqual(
      expect.objectContaining({ actor: expect.objectContaining(operator), impersonator: null }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({ impersonator: expect.objectContaining(operator) }),
    );
    expect(JSON.stringify(events)).not.toContain('grace');
  });

  test('contain refused sign-ins of others with the password or a passkey of the user', async () => {
    const ada = await signUpWithPassword(service);
    await logInByPassword(service.browser(), ada, wrongPassword);
    const tamper = { clientData: { origin: 'https://evil.example' } };
    await logIn(service.browser(), ada.authenticator, { username: ada.username, tamper });
    expect(await ownEvents(ada, 'outcome=failure')).toMatchObject(
      ['passkey.login', 'password.login'].map((event) => ({
        event,
        actor: { type: 'anonymous', id: null },
        target: { type: 'user', id: userIdOf(ada), name: ada.username },
        ip: '127.0.0.1',
        userAgent: 'node',
      })),
    );
  });

  test('name the passkeys of the user by their labels', async () => {
    const ada = await signUp(service);
    await addPasskey(ada.browser, newAuthenticator(), { label: 'Key of ada' });
    const [added] = await ownEvents(ada);
    expect(added).toMatchObject({ event: 'passkey.add', target: { type: 'passkey', name: 'Key of ada' } });
  });

  test('are returned in pages, each event once, even if events have the same time', async () => {
    const ada = await signUp(service);
    const id = userIdOf(ada);
    const at = '2001-01-01T00:00:00.123456Z';
    const inserted = await insertEvents(service, [
      ...Array.from({ length: 4 }, () => ({ at, actorId: id, targetId: id })),
      ...Array.from({ length: 3 }, () => ({ at, targetId: id })),
      { at: '2001-01-01T00:00:00.123457Z', actorId: id },
      { at: '2001-01-01T00:00:00.123455Z', targetId: id },
    ]);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await ada.browser.get(`${path}?limit=2&to=2001-01-02T00:00:00Z${cursor}`);
      seen.push(...body.events.map((event: AuditEvent) => event.id));
      if (body.nextCursor === null) break;
      cursor = `&cursor=${body.nextCursor}`;
    }
    expect(seen).toHaveLength(9);
    expect([...seen].sort()).toEqual([...inserted].sort());
    expect([seen[0], seen[8]]).toEqual([inserted[7], inserted[8]]);
  });

  test('are filtered by day, by event names and by outcome', async () => {
    const ada = await signUp(service);
    const id = userIdOf(ada);
    const [first = '', second = '', third = ''] = await insertEvents(service, [
      { at: '2001-01-01T10:00:00Z', actorId: id, event: 'passkey.add' },
      { at: '2001-01-02T10:00:00Z', actorId: id, event: 'password.login' },
      { at: '2001-01-02T11:00:00Z', targetId: id, event: 'password.login', outcome: 'failure' },
    ]);
    const ids = async (query: string) => (await ownEvents(ada, query)).map((event) => event.id);
    expect(await ids('from=2001-01-02T00:00:00Z&to=2001-01-03T00:00:00Z')).toEqual([third, second]);
    expect(await ids('event=passkey.add,password.&to=2001-01-03T00:00:00Z')).toEqual([third, second, first]);
    expect(await ids('event=passkey.&to=2001-01-03T00:00:00Z')).toEqual([first]);
    expect(await ids('outcome=failure&to=2001-01-03T00:00:00Z')).toEqual([third]);
  });

  test.each([
    'actorId=00000000-0000-0000-0000-000000000000',
    'targetId=x',
    'event=passkey.add,',
    'event=,',
    'event=nothing',
    'cursor=x',
  ])('reject the query %s', async (query) => {
    const { browser } = await signUp(service);
    expectInvalid(await browser.get(`${path}?${query}`));
  });
});
