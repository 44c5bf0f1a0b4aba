import type { Statement } from 'latchkey';
import { createInMemoryDatabase } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectNoLoggedErrors } from '../support/logged-errors.ts';
import { type Person, signUp } from '../support/person.ts';
import { startSecondInstance } from '../support/second-instance.ts';
import { type ServiceOn, startServiceOn } from '../support/service-on.ts';
import { statementLimit } from '../support/statement-limit.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { createGate, listenTo, readsHeard } from './support/hooks.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(async () => {
  await service.close();
  expectNoLoggedErrors(service);
});

const renameTo = async ({ browser, signedUp }: Person, label: string) =>
  expect((await browser.patch(`/auth/passkey/devices/${signedUp.body.passkey.id}`, { label })).status).toBe(
    200,
  );
const errorsOf = ({ logged }: ServiceOn) => logged.filter(({ level }) => level === 'error');

/** Starts another instance of the service, with its own log. `before` runs before each statement. */
async function startInstance(before?: (statement: string) => unknown): Promise<ServiceOn> {
  const instance = await startSecondInstance(service, {}, before);
  onTestFinished(() => instance.close());
  return instance;
}

describe('a listener that', () => {
  const fault = new Error('of the application');
  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw fault;
      },
    ],
    ['rejects', () => Promise.reject(fault)],
    ['rejects later', () => new Promise((_, reject) => setTimeout(reject, 1, fault))],
  ])(
    '%s causes one log line per event, and does not affect requests or other listeners',
    async (_, handler) => {
      const instance = await startInstance();
      const person = await signUp(instance);
      const earlier = listenTo(instance.auth);
      instance.auth.on('passkey.rename', handler);
      const later = listenTo(instance.auth);
      await renameTo(person, 'First');
      await renameTo(person, 'Second');
      await eventually(() => later.heard.length === 2 && errorsOf(instance).length === 2);
      expect(earlier.heard).toEqual(later.heard);
      expect(errorsOf(instance)).toEqual(
        later.heard.map(({ id }) => ({
          level: 'error',
          fields: { err: fault, event: 'passkey.rename', id },
          message: 'an auth.on handler failed',
        })),
      );
    },
  );

  test('never finishes does not delay requests, other listeners or later events', async () => {
    const instance = await startInstance();
    const person = await signUp(instance);
    const gate = createGate();
    let begun = 0;
    instance.auth.on('*', () => {
      begun += 1;
      return gate.opened;
    });
    const { heard } = listenTo(instance.auth);
    await renameTo(person, 'First');
    await renameTo(person, 'Second');
    await eventually(() => heard.length === 2);
    expect(begun).toBe(2);
    gate.open();
  });
});

test('an event that cannot be read causes a log line, and the next event is delivered', async () => {
  let failing = true;
  const instance = await startInstance((statement) => {
    if (failing && readsHeard(statement)) throw Object.assign(new Error('gone'), { code: '57P01' });
  });
  const person = await signUp(instance);
  const { heard } = listenTo(instance.auth);
  await renameTo(person, 'First');
  await eventually(() => errorsOf(instance).length === 1);
  failing = false;
  await renameTo(person, 'Second');
  await eventually(() => heard.length === 1);
  expect(heard).toMatchObject([{ target: { name: 'Second' } }]);
  expect(errorsOf(instance)).toMatchObject([
    {
      fields: {
        err: { code: 'unavailable' },
        events: [{ id: expect.any(String), event: 'passkey.rename' }],
      },
      message: 'cannot read audit events, so their auth.on handlers are not called',
    },
  ]);
});

test('a statement that is retried after a deadlock delivers its event once', async () => {
  let deadlocks = 0;
  const instance = await startInstance((statement) => {
    if (/update latchkey\.passkeys/.test(statement) && ++deadlocks === 1)
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  });
  const person = await signUp(instance);
  const { heard } = listenTo(instance.auth);
  await renameTo(person, 'Once');
  await renameTo(person, 'Last');
  await eventually(() => heard.length >= 2);
  expect(deadlocks).toBe(3);
  expect(heard).toMatchObject([{ target: { name: 'Once' } }, { target: { name: 'Last' } }]);
});

test('a change that is committed after the caller got an error still delivers its event', async () => {
  const memory = createInMemoryDatabase();
  const gate = createGate();
  const slow = {
    query: async <Row extends object>(statement: Statement) => {
      const rows = await memory.query<Row>(statement);
      if (/insert into latchkey\.invitations/.test(statement.text)) await gate.opened;
      return rows;
    },
  };
  const instance = await startServiceOn(slow, { migrate: true });
  onTestFinished(() => instance.close());
  const { heard } = listenTo(instance.auth);
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  statementLimit.enforced = true;
  onTestFinished(() => {
    statementLimit.enforced = false;
  });
  const inviting = instance.auth.asOperator('ops').invitations.create();
  const refused = expect(inviting).rejects.toMatchObject({ code: 'unavailable' });
  await vi.advanceTimersByTimeAsync(4000);
  await refused;
  vi.useRealTimers();
  expect(heard).toEqual([]);
  gate.open();
  await eventually(() => heard.length === 1);
  expect(heard).toMatchObject([{ event: 'invitation.create', actor: { name: 'ops' } }]);
});
