import { Router } from '@koa/router';
import Koa from 'koa';
import { createAuthRouter, requirePermission } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
let person: Person;
const capabilities = { user: { 'note:write': 'own', 'note:share': 'joined' } } as const;
beforeAll(async () => {
  service = await startTestService({ capabilities });
  person = await signUp(service);
});
afterAll(() => service.close());

/** Serves an app and collects the errors that Koa reports. */
async function startApp(prepare: (app: Koa) => void) {
  const app = new Koa();
  const errors: string[] = [];
  app.on('error', (error: Error) => errors.push(`${error.name}: ${error.message}`));
  prepare(app);
  const { url, close } = await serve(app);
  return { errors, close, browser: createAgent(url, origin, new Map(person.browser.cookies)) };
}

const routerOf = () => createAuthRouter(service.auth).routes();

test('a body that other middleware has read causes an error immediately', async () => {
  const { errors, browser, close } = await startApp((app) => {
    app.use(async (ctx, next) => {
      for await (const _ of ctx.req);
      await next();
    });
    app.use(routerOf());
  });
  const { status, body } = await browser.post('/auth/passkey/login/start', { username: 'ada' });
  expect([status, body.code]).toEqual([500, 'internal_error']);
  expect(errors).toEqual([
    'TypeError: The request body was read before createAuthRouter could read it. Mount createAuthRouter before the middleware that reads the body, or let this middleware keep the text in ctx.request.rawBody.',
  ]);
  await close();
});

describe('a router that is mounted twice', () => {
  const warning =
    'createAuthRouter is mounted twice with the prefix /auth, and the second router serves no request. Remove one of the two app.use(…) calls, or pass another prefix';
  const warnings = () => service.logged.filter(({ message }) => message.includes('mounted twice'));

  test('is reported once', async () => {
    const { browser, close } = await startApp((app) => app.use(routerOf()).use(routerOf()));
    for (let count = 0; count < 2; count += 1) expect((await browser.get('/auth/unknown')).status).toBe(404);
    expect(warnings()).toEqual([{ level: 'warn', fields: { prefix: '/auth' }, message: warning }]);
    await close();
  });

  test('is not reported if the prefixes are different', async () => {
    service.logged.length = 0;
    const inner = createAuthRouter(service.auth, { prefix: '/auth/v2' }).routes();
    const { browser, close } = await startApp((app) => app.use(routerOf()).use(inner));
    expect((await browser.get('/auth/v2/session')).status).toBe(200);
    expect(warnings()).toEqual([]);
    await close();
  });
});

describe('a resource without the property that the capability needs causes an error', () => {
  const ask = async (capability: 'note:write' | 'note:share', resource: object) => {
    const { errors, browser, close } = await startApp((app) => {
      const router = new Router();
      router.get(
        '/note',
        requirePermission(service.auth as never, capability as never, () => resource),
        (ctx) => {
          ctx.body = 'done';
        },
      );
      app.use(router.routes());
    });
    const { status } = await browser.get('/note');
    await close();
    return [status, ...errors];
  };

  test.each([
    ['a row with another column', { id: 1, owner_id: 'x' }, 'id, owner_id'],
    ['an empty object', {}, 'no properties'],
    ['only an organization', { organizationId: 'x' }, 'organizationId'],
  ])('for a capability that applies to own resources: %s', async (_, resource, given) => {
    expect(await ask('note:write', resource)).toEqual([
      500,
      `TypeError: requirePermission: resource: 'note:write' needs ownerId, given an object with ${given}. Expected an object such as { ownerId: … }. Use null for an id that the resource does not have`,
    ]);
  });

  test('for a capability that applies to organizations', async () => {
    expect(await ask('note:share', { ownerId: userIdOf(person) })).toEqual([
      500,
      "TypeError: requirePermission: resource: 'note:share' needs organizationId, given an object with ownerId. Expected an object such as { organizationId: … }. Use null for an id that the resource does not have",
    ]);
  });

  test.each(['ownerId', 'organizationId'])('and so does an undefined %s', async (id) => {
    expect(await ask('note:write', { ownerId: userIdOf(person), [id]: undefined })).toEqual([
      500,
      `TypeError: requirePermission: resource: ${id} is undefined. Use null for an id that the resource does not have`,
    ]);
  });

  test('but not if it is null, or if the user owns the resource', async () => {
    expect(await ask('note:write', { id: 1, ownerId: userIdOf(person) })).toEqual([200]);
    expect(await ask('note:write', { id: 1, ownerId: null })).toEqual([403, expect.any(String)]);
  });
});
