import type { Server } from 'node:http';
import Koa from 'koa';
import { createAuthRouter } from 'latchkey';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from '../browser/support/chromium.ts';
import { freePort } from '../support/example-server.ts';
import { readGuide } from './support/guide.ts';
import { openPage, statementsOf, usePages } from './support/page.ts';
import { type PastedService, startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';

const guide = readGuide('docs/guides/own-fields.md');
usePages();
let service: PastedService;
beforeAll(async () => {
  service = await startPasted({ 'app.ts': guide.block('// app.ts'), 'auth.ts': guide.block('// auth.ts') });
});
afterAll(() => service.close());

test('a user writes the fields for users, an operator the others, and a response shows only readable fields', async () => {
  const page = openPage(service);
  const { createAuthClient } = page;
  await runStatements(statementsOf(guide.block('createAuthClient<typeof auth>')), { createAuthClient });
  const client = createAuthClient();
  expect(await client.session()).toMatchObject({
    user: { displayName: 'Ada Lovelace', fields: { locale: 'de', plan: 'free' } },
  });
  expect((await page.browser.get('/export')).status).toBe(402);
  await runStatements(guide.block("fields: { plan: 'pro' }"), { auth: service.auth });
  const { users } = service.auth.asOperator('ops');
  await users.update('ada', { fields: { remark: 'pays late' } });
  const shown = await page.browser.get('/export');
  expect([shown.status, shown.body.fields]).toEqual([200, { locale: 'de', plan: 'pro' }]);
});

test('a sign-up without a required field, and a field that the user cannot write, are refused', async () => {
  const signUp = (fields: object) =>
    openPage(service)
      .createAuthClient()
      .signUp({ username: 'ben', fields } as { username: string });
  for (const fields of [{}, { locale: 'fr' }, { locale: 'en', plan: 'pro' }])
    await expect(signUp(fields)).rejects.toMatchObject({ code: 'invalid_request' });
  await signUp({ locale: 'en' });
});

const executable = findChromium();
test.skipIf(executable === null)(
  'the page of the guide sends the field, and the element names a field that the page does not send',
  async () => {
    const origin = `http://localhost:${await freePort()}`;
    const pasted = await startPasted(
      { 'auth.ts': guide.block('// auth.ts') },
      { WEBAUTHN_RP_ORIGIN: origin },
    );
    const app = new Koa();
    app.use(createAuthRouter(pasted.auth).routes());
    app.use((ctx) => {
      ctx.type = 'html';
      ctx.body = `<!doctype html><html lang="en"><title>Test</title>
        <script type="module" src="/auth/elements/index.js"></script>${guide.block('<select id="locale">')}`;
    });
    const server: Server = app.listen(Number(new URL(origin).port));
    const browser = await launchChromium(executable ?? '');
    onTestFinished(async () => {
      await browser.close();
      server.closeAllConnections();
      server.close();
      await pasted.close();
    });
    const page = await browser.newPage();
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(origin);
    await page.evaluate("document.querySelector('latchkey-sign-up').fields = null");
    await page.getByLabel('Username').fill('ada');
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    await page.getByText('fields.locale: this property is required').waitFor();

    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    const stored = () => pasted.database.sql`select fields from latchkey.users`;
    await expect.poll(stored).toMatchObject([{ fields: { locale: 'de' } }]);
  },
);
