import Koa from 'koa';
import { createWellKnownRouter } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { serve } from '../support/serve.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const origins = ['https://example.com', 'https://example.co.uk'];
let service: TestService;
let server: Awaited<ReturnType<typeof serve>>;
let browser: TestAgent;
beforeAll(async () => {
  service = await startTestService({ rpId: 'example.com', origins });
  const app = new Koa();
  app.use(createWellKnownRouter(service.auth, { securityPage: '/me/keys' }).routes());
  server = await serve(app);
  browser = createAgent(server.url, 'https://example.com');
});
afterAll(async () => {
  await server.close();
  await service.close();
});

test('/.well-known/webauthn lists the related origins', async () => {
  const answer = await browser.get('/.well-known/webauthn');
  expect(answer.body).toEqual({ origins });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
});

test('/.well-known/passkey-endpoints points to the security page', async () => {
  const answer = await browser.get('/.well-known/passkey-endpoints');
  expect(answer.body).toEqual({
    enroll: 'https://example.com/me/keys',
    manage: 'https://example.com/me/keys',
  });
});

test('/.well-known/change-password redirects to the security page', async () => {
  const answer = await browser.get('/.well-known/change-password');
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe('https://example.com/me/keys');
});
