import { createAuthRouter } from 'latchkey';
import { expect } from 'vitest';
import type { Answer } from '../../support/agent.ts';
import { newAuthenticator, newUsername, type Person, signUp } from '../../support/person.ts';
import type { ServiceOn } from '../../support/service-on.ts';

/** Endpoints that work without the database. */
const needNoDatabase = new Set(['GET /auth/openapi.json', 'GET /auth/sign-up']);

/** A signed-in user with a request for every endpoint that needs the database. */
export interface EveryEndpoint {
  person: Person;
  /** The endpoints as `METHOD /path`. */
  names: string[];
  /** Sends the request for one endpoint. */
  send(name: string): Promise<Answer>;
  /**
   * Sends all requests concurrently. Expects that each request returns 503 with Retry-After and causes only one
   * statement. A statement waits for less than five seconds, so each request also ends in less than five seconds.
   */
  expectUnavailable(): Promise<void>;
}

/** Counts all statements that the service has sent, including pending and failed ones. */
function statementsOf({ auth }: ServiceOn): number {
  const { pending, succeeded, failed } = auth.statistics().database;
  return pending + succeeded + failed;
}

/** Signs up a user and starts ceremonies. So call this before the database fails. */
export async function prepareEveryEndpoint(service: ServiceOn): Promise<EveryEndpoint> {
  const person = await signUp(service);
  const { browser, authenticator, username } = person;
  const start = async (path: string, body: object) => (await browser.post(path, body)).body.options;
  const registration = await start('/auth/passkey/register/start', { username: newUsername() });
  const login = await start('/auth/passkey/login/start', { username });
  const bodies: Record<string, object> = {
    'POST /auth/passkey/register/start': { username: newUsername() },
    'POST /auth/passkey/register/verify': { credential: await newAuthenticator().create(registration) },
    'POST /auth/passkey/login/start': { username },
    'POST /auth/passkey/login/verify': { credential: await authenticator.get(login) },
    'POST /auth/password/login': { username, password: 'correct horse battery' },
    'POST /auth/recovery/codes/use': { username, code: '22222-22222-22222-22222' },
    'POST /auth/recovery/assisted/use': { token: 'unknown' },
    'POST /auth/admin/invitations/preview': { token: 'unknown' },
    'POST /auth/invitations/preview': { token: 'unknown' },
    'POST /auth/username/availability': { username: newUsername() },
  };
  const queries: Record<string, string> = { 'GET /auth/username/availability': `?username=${newUsername()}` };

  // All endpoints of the router. Endpoints that need a session fail when they read the session.
  const names = createAuthRouter(service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
    )
    .filter((name) => !needNoDatabase.has(name));

  const send = (name: string) => {
    const [method = '', path = ''] = name.split(' ');
    const target = path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000') + (queries[name] ?? '');
    const body = method === 'GET' || method === 'DELETE' ? null : JSON.stringify(bodies[name] ?? {});
    return browser.request(method, target, body, body ? { 'Content-Type': 'application/json' } : {});
  };

  return {
    person,
    names,
    send,
    async expectUnavailable() {
      expect(names.length).toBeGreaterThan(14);
      const before = statementsOf(service);
      const answers = await Promise.all(
        names.map(async (name) => {
          const { status, body, headers } = await send(name);
          return { name, status, code: body?.code, retryAfter: headers.get('Retry-After') };
        }),
      );
      const unavailable = {
        status: 503,
        code: 'unavailable',
        retryAfter: expect.stringMatching(/^[1-9]\d*$/),
      };
      expect(answers).toEqual(names.map((name) => ({ name, ...unavailable })));
      expect(statementsOf(service) - before).toBe(names.length);
    },
  };
}
