import { afterAll, beforeAll, expect, test } from 'vitest';
import { hasBrowser, openInBrowser } from './support/browser-page.ts';
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

test.skipIf(!hasBrowser)(
  'the page of the guide sends the field, and the element names a field that the page does not send',
  async () => {
    const opened = await openInBrowser(guide.block('// auth.ts'), guide.block('<select id="locale">'));
    const { page } = opened;
    await page.evaluate("document.querySelector('latchkey-sign-up').fields = null");
    await page.getByLabel('Username').fill('ada');
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    await page.getByText('fields.locale: this property is required').waitFor();

    await page.getByLabel('Language').selectOption('Deutsch');
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    const stored = () => opened.service.database.sql`select fields from latchkey.users`;
    await expect.poll(stored).toMatchObject([{ fields: { locale: 'de' } }]);
  },
);
