import { inspect } from 'node:util';
import type { AuthServiceOptions } from 'latchkey';
import { afterEach, expect, test } from 'vitest';
import { logIn, type Person, signUp } from '../support/person.ts';
import { sending } from '../support/sending.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const open: TestService[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});

async function start(placeOf: unknown): Promise<TestService> {
  const options = { trustedProxies: 1, placeOf } as AuthServiceOptions;
  const service = await startTestService(options);
  open.push(service);
  return service;
}

const at = (service: TestService, address: string) =>
  sending(service.browser(), { 'X-Forwarded-For': address });

/** A user with a session of each of these addresses. */
async function signUpAt(service: TestService, ...[first = '', ...others]: string[]): Promise<Person> {
  const person = await signUp(service, { browser: at(service, first) });
  for (const address of others) await logIn(at(service, address), person.authenticator);
  return person;
}

async function placesOf({ browser }: Person): Promise<Record<string, unknown>> {
  const { sessions } = (await browser.get('/auth/sessions')).body;
  return Object.fromEntries(sessions.map(({ ip, place }: { ip: string; place: unknown }) => [ip, place]));
}
const warnings = ({ logged }: TestService) =>
  logged
    .filter(({ message }) => message.startsWith('placeOf failed'))
    .map(({ fields }) => (fields as { reason?: unknown }).reason);

test('the lists of sessions show the place, and call `placeOf` once for each address', async () => {
  const calls: string[] = [];
  const service = await start((address: string) => {
    calls.push(address);
    return address === '203.0.113.1' ? 'Oslo, Norway' : Promise.resolve(null);
  });
  const person = await signUpAt(service, '203.0.113.1', '203.0.113.1', '2001:db8::1');
  expect(calls).toEqual([]);
  expect(await placesOf(person)).toEqual({ '203.0.113.1': 'Oslo, Norway', '2001:db8::1': null });
  expect(calls.sort()).toEqual(['2001:db8::1', '203.0.113.1']);
  const { sessions } = await service.auth.asOperator('ops').users.get(person.username);
  expect(sessions.map(({ place }) => place).sort()).toEqual(['Oslo, Norway', 'Oslo, Norway', null]);
});

test('the database never contains the place', async () => {
  const service = await start(() => 'Secret Springs');
  const person = await signUpAt(service, '203.0.113.1');
  expect(await placesOf(person)).toEqual({ '203.0.113.1': 'Secret Springs' });
  const rows = await service.database.sql`select * from latchkey.sessions`;
  expect(JSON.stringify([rows, await service.auditRows()])).not.toContain('Springs');
});

/** The message, the name and the cause of many errors contain the given value. */
const failure = (address: string, name = 'Error') =>
  Object.assign(new Error(`no place of ${address}`, { cause: new Error(address) }), { name, address });

test.each<[what: string, placeOf: (address: string) => unknown, reason: string]>([
  [
    'that throws',
    (address) => {
      throw failure(address, 'AddressError');
    },
    'placeOf failed with AddressError',
  ],
  ['that rejects', (address) => Promise.reject(failure(address)), 'placeOf failed with Error'],
  [
    'that rejects with an error whose name is the address',
    (address) => Promise.reject(failure(address, address)),
    'placeOf failed with an error without a usual name',
  ],
  [
    'that rejects with a text',
    (address) => Promise.reject(address),
    'placeOf failed with an error without a usual name',
  ],
  [
    'that returns an object',
    (address) => ({ address }),
    'expected a text or null from placeOf, given object',
  ],
])(
  'a function %s gives null, and only the first failure is logged, without the address',
  async (_, placeOf, reason) => {
    const service = await start(placeOf);
    const person = await signUpAt(service, '203.0.113.1', '203.0.113.2');
    const none = { '203.0.113.1': null, '203.0.113.2': null };
    expect(await placesOf(person)).toEqual(none);
    expect(await placesOf(person)).toEqual(none);
    expect(warnings(service)).toEqual([reason]);
    const logged = inspect(
      service.logged.filter(({ message }) => message.startsWith('placeOf failed')),
      {
        depth: 9,
      },
    );
    expect(logged).not.toContain('203.0.113');
  },
);

test('a `placeOf` call that never resolves does not block the list, and other addresses keep their places', async () => {
  let calls = 0;
  const service = await start((address: string) => {
    calls += 1;
    return address === '203.0.113.1' ? new Promise(() => {}) : 'Oslo';
  });
  const person = await signUpAt(service, '203.0.113.1', '203.0.113.2');
  expect(await placesOf(person)).toEqual({ '203.0.113.1': null, '203.0.113.2': 'Oslo' });
  expect(calls).toBe(2);
  expect(warnings(service)).toEqual(['placeOf took longer than 500 ms']);
});

test('at most 100 calls of `placeOf` run at the same time', async () => {
  let calls = 0;
  const service = await start(() => {
    calls += 1;
    return new Promise(() => {});
  });
  const person = await signUpAt(service, '203.0.113.1', '203.0.113.2');
  await Promise.all(Array.from({ length: 60 }, () => placesOf(person)));
  expect(calls).toBe(100);
});

test('a place is cut off after 100 characters, and control characters become spaces', async () => {
  const service = await start(() => `Oslo\n\u0000${'x'.repeat(200)}`);
  const person = await signUpAt(service, '203.0.113.1');
  expect((await placesOf(person))['203.0.113.1']).toBe(`Oslo  ${'x'.repeat(94)}`);
});

test('without `placeOf`, the place is null', async () => {
  const service = await start(undefined);
  expect(await placesOf(await signUpAt(service, '203.0.113.1'))).toEqual({ '203.0.113.1': null });
});

test.each([null, 'Oslo', {}])('the service does not start with %o as placeOf', async (placeOf) => {
  await expect(start(placeOf)).rejects.toThrow(/placeOf.*a function that returns a place for an IP address/);
});
