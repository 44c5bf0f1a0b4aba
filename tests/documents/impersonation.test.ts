import Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { requireSession } from 'latchkey';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgent, type TestAgent } from '../support/agent.ts';
import { cookieHeader } from '../support/cookie-header.ts';
import { serve } from '../support/serve.ts';
import { origin } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { openPage, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/impersonation.md');
usePages();
let service: PastedService;
let userId: string;
let own: TestAgent;
beforeAll(async () => {
  service = await startPasted({ 'auth.ts': guide.block('impersonation: true') });
  const page = openPage(service);
  ({ id: userId } = (await page.createAuthClient().signUp({ username: 'ada' })).user);
  own = page.browser;
});
afterAll(() => service.close());

/** Opens a page on which a superadmin uses the account of ada. */
async function impersonate(username: string) {
  const page = openPage(service);
  const auth = page.createAuthClient();
  await auth.signUp({ username });
  await service.auth.asOperator('ops').users.changeRole(username, 'superadmin');
  await auth.signIn();
  await runStatements(guide.block('auth.impersonation.start'), { auth, userId });
  return { auth, browser: page.browser };
}

test('a superadmin uses the account of a user, and the page shows a notice', async () => {
  const { auth } = await impersonate('grace');
  const shown: unknown[] = [];
  const showBanner = (username: string) => shown.push(username);
  await runStatements(guide.block('showBanner'), { auth, showBanner });
  expect(shown).toEqual(['ada']);
  await expect(auth.updateAccount({ displayName: 'Mallory' })).rejects.toMatchObject({ code: 'impersonating' });
  await auth.signOut();
  expect(await auth.session()).toBeNull();
});

test('the link of an operator opens a session when the operator clicks the button', async () => {
  const create = `${guide.block("asOperator('grace')")}\nreturn url;`;
  const url = (await runStatements(create, { auth: service.auth })) as string;
  const auth = openPage(service).createAuthClient();
  const button: { onclick?: () => Promise<void> } = {};
  await runStatements(guide.block('button.onclick'), { auth, button, location: new URL(url) });
  expect(await auth.session()).toBeNull();
  await button.onclick?.();
  expect((await auth.session())?.session.impersonator?.name).toBe('grace');
});

test('routes that only the user can call refuse the impersonator', async () => {
  const { browser } = await impersonate('joan');
  const router = new Router();
  const pay: Middleware = (ctx) => void (ctx.status = 204);
  const values = { router, auth: service.auth, requireSession, pay };
  await runStatements(guide.block("router.post('/payments'"), values);
  const app = new Koa().use(router.routes());
  app.silent = true;
  const { url, close } = await serve(app);
  const payAs = ({ cookies }: TestAgent) => createAgent(url, origin, new Map(cookies)).post('/payments');
  expect([(await payAs(browser)).status, (await payAs(own)).status]).toEqual([403, 204]);
  const requireAs = (agent: TestAgent) =>
    runStatements(`${guide.block('requireAccess(request')}\nreturn user.username;`, {
      auth: service.auth,
      request: { method: 'GET', headers: cookieHeader(agent) },
    });
  await expect(requireAs(browser)).rejects.toMatchObject({ code: 'impersonating' });
  expect(await requireAs(own)).toBe('ada');
  await close();
});
