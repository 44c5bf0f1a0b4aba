import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { type AuthService, createAuthRouter, createAuthService, requireSession } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { type Person, signUp, stepUp, userIdOf } from '../support/person.ts';
import { send } from '../support/raw-request.ts';
import { serve } from '../support/serve.ts';
import { origin, secret } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { importBlocks, runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/guard-routes.md');
let service: PastedService;
let ada: Person;
beforeAll(async () => {
  service = await startPasted({ 'app.ts': guide.block('// app.ts') });
  ada = await signUp(service, { username: 'ada' });
});
afterAll(() => service.close());

const statusesOf = async (browser: TestAgent, paths: string[]) =>
  Promise.all(paths.map(async (path) => (await browser.get(path)).status));

test('the app in the guide greets everyone, and shows orders only to signed-in users', async () => {
  expect((await service.browser().get('/')).body).toBe('Hello stranger');
  expect((await ada.browser.get('/')).body).toBe('Hello ada');
  expect(await statusesOf(service.browser(), ['/orders', '/figures'])).toEqual([401, 401]);
  expect((await ada.browser.get('/orders')).body).toEqual({ ordersOf: userIdOf(ada) });
});

test('the route with requireFresh needs a recent authentication, and refuses requests from other sites', async () => {
  expect((await ada.browser.post('/payout')).status).toBe(204);
  await service.database.sql`
    update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
  expect((await ada.browser.post('/payout')).status).toBe(403);
  expect((await ada.browser.get('/orders')).status).toBe(200);
  await stepUp(ada.browser, ada.authenticator);
  expect((await ada.browser.post('/payout')).status).toBe(204);
  const foreign = await ada.browser.post('/payout', undefined, { Origin: 'https://evil.example' });
  expect(foreign.status).toBe(403);
});

test('the routes for admins and for members refuse other users', async () => {
  const { organizations, users } = service.auth.asOperator('ops');
  const engines = await organizations.create({ name: 'Engines', slug: 'engines', admin: 'ada' });
  const bob = await signUp(service, { username: 'bob' });
  const paths = ['/figures', `/organizations/${engines.id}/orders`];
  expect(await statusesOf(ada.browser, paths)).toEqual([403, 200]);
  expect(await statusesOf(bob.browser, paths)).toEqual([403, 404]);
  await users.changeRole('bob', 'superadmin');
  await stepUp(bob.browser, bob.authenticator);
  expect(await statusesOf(bob.browser, paths)).toEqual([200, 200]);
});

test('the capability in the guide admits members to a document, and no other user', async () => {
  const auth = await createAuthService({
    database: service.database.url,
    env: {},
    secret,
    rateLimit: false,
    webhookSender: false,
    auditSequencer: false,
    capabilities: { user: { 'document:read': 'joined' } },
  });
  const { id } = await service.auth.asOperator('ops').organizations.get('engines');
  const documents = new Map([['1', { ownerId: userIdOf(ada), organizationId: id, text: 'Note G' }]]);
  const { documentRoutes } = await importBlocks({ 'documents.ts': guide.block('// documents.ts') });
  const app = new Koa();
  app.silent = true;
  app.use((documentRoutes as (auth: unknown, documents: unknown) => Router)(auth, documents).routes());
  const { url, close } = await serve(app);
  const as = ({ cookies }: TestAgent) => createAgent(url, origin, new Map(cookies));
  expect((await as(ada.browser).get('/documents/1')).body).toBe('Note G');
  expect((await as(ada.browser).get('/documents/2')).status).toBe(404);
  const carol = await signUp(service, { username: 'carol' });
  const refused = await as(carol.browser).get('/documents/1');
  expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
  const signedOut = await as(service.browser()).get('/documents/1');
  expect([signedOut.status, signedOut.body.code]).toEqual([401, 'not_authenticated']);
  await close();
  await auth.close();
});

test('signed-out users get the sign-in page instead of a page, and problem details instead of data', async () => {
  const { showSignIn } = await importBlocks({ 'show-sign-in.ts': guide.block('// show-sign-in.ts') });
  const app = new Koa();
  app.silent = true;
  app.use(showSignIn as Middleware).use(requireSession(service.auth));
  app.use((ctx) => {
    ctx.body = 'Hello';
  });
  const { url, close } = await serve(app);
  // What browsers send when a user opens a page.
  const page = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
  const opened = await send(url, '/orders?page=2', { headers: page });
  expect([opened.status, opened.headers.location]).toEqual([302, '/sign-in?next=%2Forders%3Fpage%3D2']);
  for (const request of [{ headers: { accept: '*/*' } }, { method: 'POST', headers: page }]) {
    const refused = await send(url, '/orders', request);
    expect([refused.status, refused.body.code]).toEqual([401, 'not_authenticated']);
  }
  const as = createAgent(url, origin, new Map(ada.browser.cookies));
  expect((await as.get('/orders', page)).body).toBe('Hello');
  await close();
});

test('a guard before all other routes protects what follows', async () => {
  const app = new Koa();
  app.silent = true;
  const router = new Router().get('/late', (ctx) => {
    ctx.body = 'late';
  });
  const auth: AuthService = service.auth;
  await runStatements(guide.block('app.use(requireSession(auth));'), {
    app,
    auth,
    router,
    createAuthRouter,
    requireSession,
  });
  const { url, close } = await serve(app);
  const as = ({ cookies }: TestAgent) => createAgent(url, origin, new Map(cookies));
  expect(await statusesOf(as(ada.browser), ['/late'])).toEqual([200]);
  expect(await statusesOf(as(service.browser()), ['/late', '/auth/openapi.json'])).toEqual([401, 200]);
  await close();
});
