import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPasskey, type Person, signUp, stepUp } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { type RawAnswer, send } from '../support/raw-request.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let person: Person;
let stranger: Person;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const evil = 'https://evil.example';
const big = `{"a":"${'x'.repeat(70_000)}"}`;

/**
 * The first request has every fault. Each step fixes the first remaining fault and expects the next error.
 * A caller must not learn anything from a check before all earlier checks succeed.
 */
test('deleting a passkey checks origin, session, session kind, freshness, body, existence and state, in this order', async () => {
  person = await signUp(service);
  stranger = await signUp(service);
  const { id } = person.signedUp.body.session;
  await service.database.sql`
    update latchkey.sessions set kind = 'recovery', authenticated_at = '2000-01-01' where id = ${id}`;
  const request = {
    origin: evil,
    cookie: 'latchkey=AAAA',
    type: 'text/plain',
    body: big,
    passkey: stranger.signedUp.body.passkey.id as string,
  };
  const ask = (): Promise<RawAnswer> =>
    send(service.url, `/auth/passkey/devices/${request.passkey}`, {
      method: 'DELETE',
      headers: { Origin: request.origin, Cookie: request.cookie, 'Content-Type': request.type },
      body: request.body,
    });

  expectProblem(await ask(), 'cross_origin_request');
  request.origin = origin;
  expectProblem(await ask(), 'not_authenticated');
  request.cookie = `latchkey=${person.browser.cookies.get('latchkey')}`;
  expectProblem(await ask(), 'recovery_session');
  await service.database.sql`update latchkey.sessions set kind = 'full' where id = ${id}`;
  expectProblem(await ask(), 'reauthentication_required');
  await stepUp(person.browser, person.authenticator);
  request.cookie = `latchkey=${person.browser.cookies.get('latchkey')}`;
  expectProblem(await ask(), 'unsupported_media_type');
  request.type = 'application/json';
  expectProblem(await ask(), 'body_too_large');
  request.body = '{"a":1}';
  expectProblem(await ask(), 'invalid_request', {
    errors: [{ path: 'a', message: 'this property is unknown' }],
  });
  request.body = '{}';
  expectProblem(await ask(), 'not_found');
  request.passkey = person.signedUp.body.passkey.id;
  expectProblem(await ask(), 'last_credential');
  await addPasskey(person.browser);
  expect((await ask()).status).toBe(204);
});

test.each([
  ['an existing path', '/auth/session', 'not_authenticated'],
  ['a path that needs more than a session', '/auth/sessions', 'not_authenticated'],
  ['an unknown path', '/auth/nothing', 'not_found'],
] as const)('without a session, %s responds before the body is read', async (_, path, code) => {
  const answer = await send(service.url, path, { headers: { 'Content-Type': 'text/plain' }, body: 'x' });
  expectProblem(answer, code);
});

test.each([
  ['POST', '/auth/passkey/stepup/start'],
  ['POST', '/auth/passkey/stepup/verify'],
  ['POST', '/auth/passkey/devices/add'],
  ['PATCH', '/auth/passkey/devices/1'],
  ['DELETE', '/auth/passkey/devices/1'],
  ['DELETE', '/auth/sessions'],
  ['DELETE', '/auth/sessions/1'],
  ['POST', '/auth/organizations/1/invitations'],
  ['POST', '/auth/invitations/1/accept'],
  ['POST', '/auth/invitations/accept'],
])('%s %s rejects a signed-out caller without reading the body', async (method, path) => {
  // The body never ends, so an endpoint that reads it never responds.
  async function* never() {
    yield Buffer.from('{');
    await new Promise(() => {});
  }
  const headers = { 'Content-Type': 'application/json' };
  expectProblem(await send(service.url, path, { method, headers, body: never() }), 'not_authenticated');
});
