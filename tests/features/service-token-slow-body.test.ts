import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type Person, signUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { setRole } from './support/accounts.ts';
import { changeRole, disable, endSessionsOf, signUpAs } from './support/authority.ts';

let service: TestService;
let superadmin: Person;
beforeAll(async () => {
  service = await startTestService();
  superadmin = await signUpAs(service, 'superadmin');
});
afterAll(() => service.close());

/** Requests a token. Runs `change` after the guard has accepted the session, before the rest of the body is sent. */
async function askSlowly({ browser }: Person, change: () => Promise<unknown>): Promise<RawAnswer> {
  service.statements.length = 0;
  const isAdmitted = () => service.statements.some((text) => text.includes('sessions.token_hash = '));
  async function* body() {
    yield Buffer.from('{');
    await eventually(isAdmitted);
    await change();
    yield Buffer.from('}');
  }
  const Cookie = [...browser.cookies].map((cookie) => cookie.join('=')).join('; ');
  const headers = { Cookie, Origin: origin, 'Content-Type': 'application/json' };
  return send(service.url, '/auth/session/token', { method: 'POST', headers, body: body() });
}

const roleIn = (answer: RawAnswer) => decodeJwt(answer.body.token).role;

test('a request with a slow body gets a token', async () => {
  const answer = await askSlowly(await signUp(service), async () => {});
  expect(answer.status).toBe(201);
  expect(roleIn(answer)).toBe('user');
});

describe('if a change happens while the request body is sent,', () => {
  test('a demoted admin gets the current role', async () => {
    const admin = await signUpAs(service, 'admin');
    const answer = await askSlowly(admin, () => setRole(service, admin, 'user'));
    expect(roleIn(answer)).toBe('user');
  });

  test('an admin gets the current role after a superadmin demotes the admin over HTTP', async () => {
    const admin = await signUpAs(service, 'admin');
    const answer = await askSlowly(admin, async () => {
      expect((await changeRole(superadmin.browser, admin, 'user')).status).toBe(200);
    });
    expect(roleIn(answer)).toBe('user');
  });

  test('a promoted user gets the current role', async () => {
    const person = await signUp(service);
    const answer = await askSlowly(person, () => setRole(service, person, 'admin'));
    expect(roleIn(answer)).toBe('admin');
  });

  test.each<[who: string, status: number, change: (person: Person) => Promise<{ status: number }>]>([
    ['a disabled user', 200, (person) => disable(superadmin.browser, person)],
    ['a user whose sessions an admin ended', 200, (person) => endSessionsOf(superadmin.browser, person)],
    ['a user who signed out', 204, ({ browser }) => browser.copy().delete('/auth/session')],
    ['a user who deleted the account', 204, ({ browser }) => browser.copy().delete('/auth/account')],
  ])('%s gets no token', async (_, status, change) => {
    const person = await signUp(service);
    const answer = await askSlowly(person, async () => {
      expect((await change(person)).status).toBe(status);
    });
    expectProblem(answer, 'not_authenticated');
  });

  test('a user gets no token after the session epoch of the account has increased', async () => {
    const person = await signUp(service);
    const id = person.signedUp.body.user.id;
    const answer = await askSlowly(
      person,
      () =>
        service.database.sql`update latchkey.users set session_epoch = session_epoch + 1 where id = ${id}`,
    );
    expectProblem(answer, 'not_authenticated');
  });
});
