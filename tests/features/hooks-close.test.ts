import { createAuthService } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { addPasskey, newUsername, type Person, signUp } from '../support/person.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { createGate, listenTo, namesOf } from './support/hooks.ts';
import { createLink, useLink } from './support/recovery.ts';

describe('close() with PostgreSQL', () => {
  /** Starts a service that opens and closes its own database connections. */
  async function startService() {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const auth = await createAuthService({ database: database.url, secret, env: {}, rateLimit: false });
    return { auth, ops: auth.asOperator('ops') };
  }

  test('waits for running listeners, which can still use the database', async () => {
    const { auth, ops } = await startService();
    const gate = createGate();
    const done: unknown[] = [];
    let begun = false;
    auth.on('invitation.create', async () => {
      begun = true;
      await gate.opened;
      done.push((await ops.invitations.list()).invitations.length);
    });
    await ops.invitations.create();
    await eventually(() => begun);
    const closed = auth.close().then(() => done.push('closed'));
    // This query takes longer than a `close` that does not wait for listeners.
    await auth.isReady();
    expect(done).toEqual([]);
    gate.open();
    await closed;
    expect(done).toEqual([1, 'closed']);
  });

  test('delivers events that were just written, and events that listeners write while `close` waits', async () => {
    const { auth, ops } = await startService();
    const { heard } = listenTo(auth);
    auth.on('invitation.create', ({ target }) => ops.invitations.revoke(`${target?.id}`));
    await ops.invitations.create();
    await auth.close();
    expect(namesOf(heard)).toEqual(['invitation.create', 'invitation.revoke']);
  });
});

describe('with an in-memory database,', () => {
  let service: ServiceOn;
  beforeEach(async () => {
    service = await startServiceOn(createInMemoryDatabase(), { migrate: true });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await service.close();
    expectNoLoggedErrors(service);
  });

  const warnings = () => service.logged.filter(({ level }) => level === 'warn').map(({ message }) => message);
  const hangWarning = 'closed while auth.on handlers were still running';

  test('close() waits five seconds for a hanging listener, and logs a warning', async () => {
    const gate = createGate();
    let begun = false;
    service.auth.on('account.signup', () => {
      begun = true;
      return gate.opened;
    });
    await signUp(service);
    await eventually(() => begun);
    let closed = false;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    void service.auth.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(4999);
    expect([closed, warnings()]).toEqual([false, expect.not.arrayContaining([hangWarning])]);
    await vi.advanceTimersByTimeAsync(1);
    expect([closed, warnings()]).toEqual([true, expect.arrayContaining([hangWarning])]);
    gate.open();
  });

  test('close() leaves no timer behind, and logs nothing if no listener hangs', async () => {
    const { heard } = listenTo(service.auth);
    await signUp(service);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await service.auth.close();
    expect(vi.getTimerCount()).toBe(0);
    expect(namesOf(heard)).toEqual(['account.signup']);
    expect(warnings()).not.toContain(hangWarning);
  });

  test('a listener to `*` receives all four events that one statement writes', async () => {
    const { heard } = listenTo(service.auth);
    const username = newUsername();
    const person: Person = await signUp(service, { username });
    const { token } = await createLink(service, person);
    const browser = service.browser();
    await useLink(browser, token);
    expect((await addPasskey(browser)).status).toBe(201);
    await useLink(service.browser(), token);
    await eventually(() => heard.length === 8);
    expect(heard.map(({ event, outcome, actor }) => [event, outcome, actor.name])).toEqual([
      ['account.signup', 'success', username],
      ['recovery_link.create', 'success', 'ops'],
      ['recovery_link.use', 'success', username],
      ['passkey.add', 'success', username],
      ['passkey.remove', 'success', username],
      ['recovery_code.generate', 'success', username],
      ['recovery.complete', 'success', username],
      ['recovery_link.use', 'failure', null],
    ]);
    const { events: items } = await service.auth.asOperator('ops').audit.list();
    expect(heard).toEqual(items.toReversed());
  });

  test('a listener to one event name receives only that event when one statement writes four events', async () => {
    const { heard } = listenTo(service.auth, 'recovery.complete');
    const person = await signUp(service);
    const browser = service.browser();
    await useLink(browser, (await createLink(service, person)).token);
    await addPasskey(browser);
    await eventually(() => heard.length > 0);
    expect(namesOf(heard)).toEqual(['recovery.complete']);
  });
});
