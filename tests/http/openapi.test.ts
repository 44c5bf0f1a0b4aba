import { createConfig, lintFromString } from '@redocly/openapi-core';
import { createAuthRouter, errorTable } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openApiDocument, usualFeatures } from '../../src/api/openapi/document.ts';
import { listen, origin, secret, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const document = openApiDocument({ prefix: '/auth', cookieName: 'latchkey' });
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ path, method })),
);

async function problemsOf(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: text, config });
  return problems.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

test('the document is valid OpenAPI 3.1 without lint errors', async () => {
  expect(document.openapi).toMatch(/^3\.1\./);
  expect(await problemsOf(JSON.stringify(document))).toEqual([]);
});

test('the lint finds an operation without an id, a summary or a successful response', async () => {
  const problems = await problemsOf(
    JSON.stringify({ ...document, paths: { '/x': { get: { responses: {} } } } }),
  );
  for (const rule of ['operation-operationId', 'operation-summary', 'operation-2xx-response'])
    expect(problems).toContainEqual(expect.stringContaining(`${rule}:`));
});

test('the document lists exactly the routes of the router', () => {
  const routes = createAuthRouter(service.auth)
    .stack.filter(({ path }) => typeof path === 'string' && !path.includes('{'))
    .flatMap(({ path, methods }) =>
      methods.filter((method) => method !== 'HEAD').map((method) => `${method} ${path}`),
    );
  const named = operations.map(
    ({ path, method }) =>
      `${method.toUpperCase()} ${path.replace('{index}', '*index').replaceAll(/\{(\w+)\}/g, ':$1')}`,
  );
  expect(routes).not.toEqual([]);
  expect(named.sort()).toEqual(routes.sort());
});

test('the document lists every error code that an endpoint returns', () => {
  const settings = {
    prefix: '/auth',
    cookieName: 'latchkey',
    features: { ...usualFeatures, impersonation: true },
  };
  const text = JSON.stringify(openApiDocument(settings).paths);
  const unused = Object.keys(errorTable).filter(
    (code) => !text.includes(`"${code}"`) && !text.includes(`/responses/${code}"`),
  );
  // No documented operation returns `method_not_allowed`. Only an operator can cause the others.
  expect(unused).toEqual(['feature_disabled', 'method_not_allowed', 'already_bootstrapped']);
});

test('the document has impersonation only if the option is on', () => {
  const settings = { prefix: '/auth', cookieName: 'latchkey' };
  expect(JSON.stringify(document.paths)).not.toMatch(/"impersonating"|`impersonating`|\/impersonation/);
  const on = openApiDocument({ ...settings, features: { ...usualFeatures, impersonation: true } });
  expect(Object.keys(on.paths)).toContain('/auth/admin/users/{id}/impersonation');
  expect(JSON.stringify(on.paths['/auth/account'])).toContain('impersonating');
});

test('the router serves the document of openApiDocument() without a session', async () => {
  const { status, headers, body } = await service.browser().get('/auth/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('Content-Type')).toMatch(/^application\/json/);
  expect(body).toEqual(JSON.parse(JSON.stringify(document)));
});

test('the router serves the document without a database query', async () => {
  service.statements.length = 0;
  await service.browser().get('/auth/openapi.json');
  expect(service.statements).toEqual([]);
});

test('the served document contains the prefix and the name of the HTTPS cookie', async () => {
  const { default: Koa } = await import('koa');
  const { createAuthService } = await import('latchkey');
  const auth = await createAuthService({
    database: service.database.url,
    env: {},
    secret,
    rpId: 'example.com',
    origins: ['https://example.com'],
    log: { info: () => {}, warn: () => {}, error: () => {} },
  });
  const app = new Koa();
  app.use(createAuthRouter(auth, { prefix: '/api/accounts' }).routes());
  const server = await listen(app);
  const { port } = server.address() as { port: number };
  const answer = await fetch(`http://127.0.0.1:${port}/api/accounts/openapi.json`, { headers: { origin } });
  const served = (await answer.json()) as typeof document;
  server.close();
  await auth.close();
  expect(Object.keys(served.paths)).toContain('/api/accounts/passkey/devices/{id}');
  expect(served.components.securitySchemes?.session).toMatchObject({ name: '__Host-latchkey' });
});

test('the document declares Retry-After for exactly the errors whose responses have this header', () => {
  const responses = Object.entries(document.components.responses as Record<string, { headers: object }>);
  const waiting = responses.filter(([, { headers }]) => 'Retry-After' in headers).map(([code]) => code);
  expect(waiting.sort()).toEqual(['rate_limited', 'recovery_link_waiting', 'unavailable']);
});
