import type { AuditEvent, AuditEventName } from 'latchkey';
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp, userIdOf } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { untilWaiting } from '../support/waiting.ts';
import { auditPath, signUpAs } from './support/authority.ts';
import { createGate, listenTo, namesOf, readsHeard } from './support/hooks.ts';

const wrongOrigin = { clientData: { origin: 'https://evil.example' } };
const unknownId = '00000000-0000-7000-8000-000000000000';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

const renameTo = ({ browser, signedUp }: Person, label: string, id: string = signedUp.body.passkey.id) =>
  browser.patch(`/auth/passkey/devices/${id}`, { label });
const labelsOf = (events: readonly AuditEvent[]) => events.map(({ target }) => target?.name);

/** Starts another instance of the service. Its first read of an event waits until the test opens the gate. */
async function startHeldInstance() {
  const gate = createGate();
  let reads = 0;
  const instance = await startSecondInstance(service, {}, (statement) => {
    if (readsHeard(statement) && ++reads === 1) return gate.opened;
  });
  onTestFinished(() => instance.close());
  return { instance, gate, reads: () => reads };
}

describe('a listener', () => {
  test('receives the same event as a client that reads the audit log', async () => {
    const { heard } = listenTo(service.auth);
    const person = await signUp(service);
    const { browser } = await signUpAs(service, 'superadmin');
    await eventually(() => heard.length === 2);
    const { body } = await browser.get(`${auditPath}?event=account.signup&targetId=${userIdOf(person)}`);
    expect(heard[0]).toEqual(body.events[0]);
    expect(heard[0]).toMatchObject({ event: 'account.signup', actor: { name: person.username } });
  });

  test('to one event name receives only events with that name', async () => {
    const [logins, logouts, all] = [
      listenTo(service.auth, 'passkey.login'),
      listenTo(service.auth, 'session.logout'),
      listenTo(service.auth),
    ];
    const { browser, authenticator } = await signUp(service);
    await logIn(browser, authenticator);
    await browser.delete('/auth/session');
    await eventually(() => all.heard.length === 3);
    expect(namesOf(all.heard)).toEqual(['account.signup', 'passkey.login', 'session.logout']);
    expect(logins.heard).toEqual([all.heard[1]]);
    expect(logouts.heard).toEqual([all.heard[2]]);
  });

  test('receives failed attempts as failures', async () => {
    const { browser, authenticator } = await signUp(service);
    const { heard } = listenTo(service.auth, 'passkey.login');
    await logIn(browser, authenticator, { tamper: wrongOrigin });
    await logIn(browser, authenticator);
    await eventually(() => heard.length === 2);
    expect(heard).toMatchObject([
      { event: 'passkey.login', outcome: 'failure', details: { reason: expect.any(String) } },
      { event: 'passkey.login', outcome: 'success' },
    ]);
  });

  test('receives the events of operators', async () => {
    const { heard } = listenTo(service.auth);
    const { username } = await signUp(service);
    await service.auth.asOperator('ops').users.disable(username);
    await eventually(() => heard.length === 2);
    expect(heard[1]).toMatchObject({ event: 'user.disable', actor: { type: 'operator', name: 'ops' } });
  });

  test('receives no event for a 404, and one failure event for a rejected sign-up', async () => {
    const username = newUsername();
    const late = service.browser();
    const { options } = (await late.post('/auth/passkey/register/start', { username })).body;
    const person = await signUp(service, { username });
    const { heard } = listenTo(service.auth);
    expect((await renameTo(person, 'x', unknownId)).status).toBe(404);
    const credential = await newAuthenticator().create(options);
    expect((await late.post('/auth/passkey/register/verify', { credential })).status).toBe(409);
    await renameTo(person, 'Last');
    await eventually(() => namesOf(heard).includes('passkey.rename'));
    expect(heard).toMatchObject([
      { event: 'account.signup', outcome: 'failure', details: { reason: 'username_taken' } },
      { event: 'passkey.rename', target: { name: 'Last' } },
    ]);
  });

  test('is called after the event is committed, not while the statement waits for a lock', async () => {
    const person = await signUp(service);
    const found: unknown[] = [];
    const { sql } = service.database;
    const stop = service.auth.on('passkey.rename', async ({ id }) => {
      found.push(...(await sql`select id from latchkey.audit_events where id = ${id}`));
    });
    onTestFinished(stop);
    let renaming: Promise<unknown> | undefined;
    await sql.begin(async (holder) => {
      await holder`select from latchkey.passkeys where user_id = ${userIdOf(person)} for update`;
      renaming = renameTo(person, 'Held');
      await untilWaiting(sql);
      expect(found).toEqual([]);
    });
    await renaming;
    await eventually(() => found.length > 0);
    expect(found).toEqual([{ id: expect.any(String) }]);
  });

  test('receives its own copy of the event', async () => {
    const stop = service.auth.on('passkey.rename', (event) => {
      event.actor.name = 'another name';
      event.details.added = true;
    });
    onTestFinished(stop);
    const { heard } = listenTo(service.auth, 'passkey.rename');
    const person = await signUp(service);
    await renameTo(person, 'Mine');
    await eventually(() => heard.length === 1);
    expect(heard[0]?.details).toEqual({});
    expect(heard).toMatchObject([{ actor: { name: person.username }, target: { name: 'Mine' } }]);
  });
});

test('events are delivered in order, even if a later event is read first, and no request waits for delivery', async () => {
  const { instance, gate, reads } = await startHeldInstance();
  const { heard } = listenTo(instance.auth, 'passkey.rename');
  const person = await signUp(instance);
  expect((await renameTo(person, 'First')).status).toBe(200);
  expect((await renameTo(person, 'Second')).status).toBe(200);
  await eventually(() => reads() === 2);
  // During this request, the service reads the event of the second rename.
  expect((await renameTo(person, 'Third')).status).toBe(200);
  expect(heard).toEqual([]);
  gate.open();
  await eventually(() => heard.length === 3);
  expect(labelsOf(heard)).toEqual(['First', 'Second', 'Third']);
});

describe('a listener that is removed', () => {
  test('receives no more events, but the other listeners still receive them', async () => {
    const person = await signUp(service);
    const [stopping, staying] = [listenTo(service.auth), listenTo(service.auth)];
    await renameTo(person, 'First');
    await eventually(() => staying.heard.length === 1);
    stopping.stop();
    stopping.stop();
    await renameTo(person, 'Second');
    await eventually(() => staying.heard.length === 2);
    expect(labelsOf(stopping.heard)).toEqual(['First']);
  });

  test('while an event waits for delivery does not receive this event, and neither does a new listener', async () => {
    const { instance, gate, reads } = await startHeldInstance();
    const person = await signUp(instance);
    const [stopping, staying] = [listenTo(instance.auth), listenTo(instance.auth)];
    await renameTo(person, 'First');
    await eventually(() => reads() === 1);
    stopping.stop();
    const beginning = listenTo(instance.auth);
    gate.open();
    await renameTo(person, 'Second');
    await eventually(() => staying.heard.length === 2);
    expect(stopping.heard).toEqual([]);
    expect(labelsOf(beginning.heard)).toEqual(['Second']);
  });

  test('does not remove another listener with the same handler', async () => {
    const heard: unknown[] = [];
    const handler = ({ target }: AuditEvent) => heard.push(target?.name);
    const person = await signUp(service);
    const [stopFirst, stopSecond] = [service.auth.on('*', handler), service.auth.on('*', handler)];
    onTestFinished(stopSecond);
    await renameTo(person, 'Twice');
    await eventually(() => heard.length === 2);
    stopFirst();
    await renameTo(person, 'Once');
    await eventually(() => heard.includes('Once'));
    await renameTo(person, 'Last');
    await eventually(() => heard.includes('Last'));
    expect(heard).toEqual(['Twice', 'Twice', 'Once', 'Last']);
  });
});

test('an event with a listener is read once from the database, and an event without listeners is not read', async () => {
  const { browser, authenticator } = await signUp(service);
  async function statementsOfLogin(): Promise<string[]> {
    service.statements.length = 0;
    await logIn(browser, authenticator);
    return [...service.statements];
  }
  const withoutListener = await statementsOfLogin();
  const { stop: stopOther } = listenTo(service.auth, 'account.signup');
  expect(await statementsOfLogin()).toEqual(withoutListener);
  stopOther();
  const { heard, stop } = listenTo(service.auth, 'passkey.login');
  const withListener = await statementsOfLogin();
  await eventually(() => heard.length === 1);
  expect(withListener.filter((statement) => !readsHeard(statement))).toEqual(withoutListener);
  expect(withListener).toHaveLength(withoutListener.length + 1);
  stop();
  expect(await statementsOfLogin()).toEqual(withoutListener);
});

test('on() rejects handlers that are not functions, and rejects unknown event names with a list of the known names', () => {
  // @ts-expect-error: no event has this name
  const misspelled = () => service.auth.on('passkey.logn', () => {});
  expect(misspelled).toThrow(TypeError);
  expect(misspelled).toThrow(/expected '\*' or .*account\.signup, .*passkey\.login, .*audit\.export/);
  // @ts-expect-error: a prefix is not an event name
  expect(() => service.auth.on('passkey.', () => {})).toThrow(TypeError);
  // @ts-expect-error: not a function
  expect(() => service.auth.on('passkey.login', undefined)).toThrow(TypeError);
});

// `tsc` checks these assertions.
test('the event name determines the type of the event that a handler receives', () => {
  const stops = [
    service.auth.on('passkey.login', (event) => {
      expectTypeOf(event.event).toEqualTypeOf<'passkey.login'>();
      expectTypeOf(event).toExtend<AuditEvent>();
      // @ts-expect-error: the handler does not receive this event
      expectTypeOf(event.event === 'passkey.add').toBeBoolean();
    }),
    service.auth.on('*', ({ event }) => expectTypeOf(event).toEqualTypeOf<AuditEventName>()),
    service.auth.on('user.delete' as 'user.delete' | 'user.disable', ({ event }) => {
      expectTypeOf(event).toEqualTypeOf<'user.delete' | 'user.disable'>();
    }),
    service.auth.on('audit.export', async () => 'an ignored return value'),
    service.auth.on('audit.list', (event: AuditEvent) => event.id),
  ];
  for (const stop of stops) {
    expectTypeOf(stop).toEqualTypeOf<() => void>();
    stop();
  }
});
