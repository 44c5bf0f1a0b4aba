import type { AuditEvent, AuthService } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { logIn, newAuthenticator, signUp, userIdOf } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/hooks.md');

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('the hook of the guide welcomes each new user, until it is removed', async () => {
  const welcomed: unknown[] = [];
  const values = { auth: service.auth, sendWelcome: (id: unknown) => welcomed.push(id) };
  const stop = await runStatements(`${guide.block('account.signup')}\nreturn stop;`, values);
  const first = await signUp(service);
  const second = await signUp(service);
  await eventually(() => welcomed.length === 2);
  expect(welcomed).toEqual([userIdOf(first), userIdOf(second)]);
  (stop as () => void)();
  const events = listen();
  await signUp(service);
  await eventually(() => events.length === 1);
  expect(welcomed).toHaveLength(2);
});

test('a hook for all events also gets refused attempts', async () => {
  const events = listen();
  const { browser, authenticator } = await signUp(service);
  await logIn(browser, authenticator);
  await logIn(service.browser(), newAuthenticator(), {
    tamper: { clientData: { origin: 'https://evil.example' } },
  }).catch(() => {});
  const { username } = await signUp(service);
  await service.browser().post('/auth/password/login', { username, password: 'a wrong password' });
  await eventually(() => events.some(({ event }) => event === 'password.login'));
  expect(events.map(({ event, outcome }) => `${event} ${outcome}`)).toEqual(
    expect.arrayContaining(['account.signup success', 'passkey.login success', 'password.login failure']),
  );
});

test('a hook that throws does not fail the request, and an unknown name is a TypeError', async () => {
  const stop = service.auth.on('account.signup', () => {
    throw new Error('the mail server is down');
  });
  expect((await signUp(service)).signedUp.status).toBe(201);
  await eventually(() => service.logged.some(({ level }) => level === 'error'));
  stop();
  const on = service.auth.on as (name: string, handler: () => void) => void;
  expect(() => on('account.sign_up', () => {})).toThrow(TypeError);
});

/** Collects all events with the hook of the guide. */
function listen(auth: AuthService = service.auth): AuditEvent[] {
  const events: AuditEvent[] = [];
  void runStatements(guide.block("'*'"), { auth, stream: events });
  return events;
}
