import Koa from 'koa';
import { createAuthRouter, requireFresh } from 'latchkey';
import { type AuthClient, AuthClientError, supportsPasskeyAutofill } from 'latchkey/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { newAuthenticator } from '../support/person.ts';
import { serve } from '../support/serve.ts';
import { origin, startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { openPage, statementsOf, usePages } from './support/page.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/browser-client.md');
usePages();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ bcryptCost: 4 });
});
afterAll(() => service.close());

const makeStale = () => service.database.sql`
  update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;

test('the first steps sign a user up, out and in, and the suggestions sign the user in', async () => {
  const phone = newAuthenticator();
  const left = [phone, newAuthenticator()];
  const create: typeof phone.create = (options) => (left.shift() ?? phone).create(options);
  const page = openPage(service, { authenticator: { ...phone, create } });
  const code = `${statementsOf(guide.block('auth.signUp'))}\nreturn current;`;
  expect(await runStatements(code, { ...page })).toMatchObject({
    user: { username: 'ada', passkeyCount: 2, recoveryCodesRemaining: 10 },
  });

  const auth = page.createAuthClient();
  await auth.signOut();
  const greeted: string[] = [];
  const greet = (username: string) => greeted.push(username);
  const autofill = statementsOf(guide.block('signInWithAutofill'));
  await runStatements(autofill, { auth, supportsPasskeyAutofill, greet });
  expect(greeted).toEqual(['ada']);
});

test('an error of the service has a message for the user', async () => {
  const shown: string[][] = [];
  const auth = openPage(service).createAuthClient();
  await auth.signUp({ username: 'ben' });
  const signIn = () =>
    runStatements(statementsOf(guide.block('instanceof AuthClientError')), {
      auth,
      AuthClientError,
      show: (...texts: string[]) => shown.push(texts),
    });
  await signIn();
  expect(shown).toEqual([]);
  await service.auth.asOperator('ops').users.disable('ben');
  await signIn();
  expect(shown).toEqual([['This account is disabled.', expect.any(String)]]);
});

test('`beforeStepUp` in the guide asks a user without a passkey for the password', async () => {
  const page = openPage(service);
  const signedUp = page.createAuthClient();
  await signedUp.signUp({ username: 'carol' });
  await signedUp.password.set('a long fallback password');
  const [passkey] = await signedUp.passkeys.list();
  await signedUp.passkeys.remove(`${passkey?.id}`);
  const answers = [null, 'a long fallback password'];
  const code = `${statementsOf(guide.block('beforeStepUp: async'))}\nreturn auth;`;
  const askForPassword = async () => answers.shift();
  const auth = (await runStatements(code, { ...page, askForPassword })) as AuthClient;
  await makeStale();
  await expect(auth.recovery.generateCodes()).rejects.toMatchObject({ code: 'ceremony_canceled' });
  expect((await auth.recovery.generateCodes()).codes).toHaveLength(10);
});

test('a request to a route of the app is repeated after a step-up', async () => {
  const app = new Koa();
  app.silent = true;
  app.use(createAuthRouter(service.auth).routes());
  app.use(requireFresh(service.auth));
  app.use((ctx) => {
    ctx.status = 204;
  });
  const { url, close } = await serve(app);
  const page = openPage({ browser: () => createAgent(url, origin) });
  await page.createAuthClient().signUp({ username: 'dan' });
  await makeStale();
  expect((await page.fetch('/payout', { method: 'POST' })).status).toBe(403);
  const code = `${statementsOf(guide.block('// send.ts'))}\nreturn send('/payout', { method: 'POST' });`;
  expect(await runStatements(code, { ...page })).toMatchObject({ status: 204 });
  await close();
});
