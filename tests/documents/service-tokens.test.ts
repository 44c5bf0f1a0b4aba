import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type Koa from 'koa';
import type { AuthService } from 'latchkey';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { type Person, signUp } from '../support/person.ts';
import { type ServedApp, serve } from '../support/serve.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { origin, secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/service-tokens.md');

let database: TestDatabase;
let auth: AuthService;
let served: ServedApp;
let reports: Server;
let person: Person;
beforeAll(async () => {
  database = await createTestDatabase();
  vi.stubEnv('DATABASE_URL', database.url);
  vi.stubEnv('JWT_SECRET', secret);
  vi.stubEnv('RATE_LIMIT', 'off');
  const application = await importBlocks({ 'server.js': guide.block('createWellKnownRouter') });
  vi.unstubAllEnvs();
  auth = application.auth as AuthService;
  served = await serve(application.app as Koa);
  person = await signUp({ url: served.url, browser: () => createAgent(served.url, origin) });
  const code = guide
    .block('createServer')
    .replace(
      "issuer: 'https://example.com'",
      `issuer: '${origin}', jwks: '${served.url}/.well-known/jwks.json'`,
    );
  reports = (await importBlocks({ 'reports.js': code })).reports as Server;
  await new Promise<void>((done) => reports.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  reports.close();
  await served.close();
  await auth.close();
  await database.drop();
});

const readReports = async (token: string) => {
  const { port } = reports.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return { status: response.status, text: await response.text() };
};

test('the other service accepts a token that the code of the guide requested', async () => {
  const cookie = [...person.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { token, expiresAt } = (await runStatements(
    `${guide.block('expiresAt')}\nreturn { token, expiresAt };`,
    {
      fetch: (path: string, init: RequestInit) =>
        fetch(served.url + path, { ...init, headers: { ...init.headers, cookie, origin } }),
    },
  )) as { token: string; expiresAt: string };
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now());
  const answer = await readReports(token);
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    200,
    { userId: person.signedUp.body.user.id, role: 'user' },
  ]);
});

test('the other service rejects a token for another audience, and text that is not a token', async () => {
  const { body } = await person.browser.post('/auth/session/token', { audience: 'billing' });
  expect((await readReports(body.token)).status).toBe(401);
  expect((await readReports('x')).status).toBe(401);
});

test('an audience that is not in `tokenAudiences` is an invalid request', async () => {
  const answer = await person.browser.post('/auth/session/token', { audience: 'payroll' });
  expect([answer.status, answer.body.code]).toEqual([400, 'invalid_request']);
});
