import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type StartedExample, startExample } from '../support/started-example.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from './support/chromium.ts';
import { Complaints } from './support/complaints.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { story } from './support/story.ts';
import { watchPage } from './support/watched-pages.ts';

story('two users of the example koa-app', () => {
  let database: TestDatabase;
  let example: StartedExample;
  let browser: Browser;
  let ada: Page;
  let ben: Page;
  let link: string;
  const complaints = new Complaints();

  /** Opens a page in a browser profile of its own, with an authenticator. */
  async function open(): Promise<Page> {
    const context: BrowserContext = await browser.newContext();
    const page = await context.newPage();
    watchPage(page, complaints);
    await addAuthenticator(await webAuthnOf(page), 'internal');
    return page;
  }

  beforeAll(async () => {
    database = await createTestDatabase({ empty: true });
    example = await startExample('koa-app', database.url);
    browser = await launchChromium(findChromium() ?? '');
    [ada, ben] = [await open(), await open()];
    await ada.goto(example.origin);
  });
  afterAll(async () => {
    await browser.close();
    expect(await example.stop()).toBe(0);
    await database.drop();
  });

  const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  /** Waits until the next page has run its script. Before that, a button sends its form without the script. */
  const follow = async (page: Page, name: string) => {
    const loaded = page.waitForEvent('load');
    await page.getByRole('link', { name, exact: true }).click();
    await loaded;
  };

  test('ada signs up with a passkey', async () => {
    await heading(ada, 'Sign in');
    await photograph(ada, 'koa-app-sign-in');
    await ada.getByLabel('Username').fill('ada');
    await click(ada, 'Create account');
    await heading(ada, 'Your organizations');
    await photograph(ada, 'koa-app-home-empty');
  });

  test('ada creates an organization', async () => {
    await ada.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await click(ada, 'Create organization');
    await heading(ada, 'Analytical Engines');
    await ada.getByText('Your role: Organization admin.').waitFor();
  });

  test('ada writes a document, and sees why a form is refused', async () => {
    await ada.getByLabel('Title').fill(' ');
    await ada
      .getByLabel('Text')
      .fill('The engine weaves algebraic patterns.\nJust as the loom weaves flowers.');
    await click(ada, 'Create document');
    await ada.getByRole('alert').getByText('The title must have 1 to 120 characters.').waitFor();
    await photograph(ada, 'koa-app-problem');
    await ada.getByLabel('Title').fill('Notes on the engine');
    await click(ada, 'Create document');
    await heading(ada, 'Notes on the engine');
    await ada.getByText(/^Draft of /).waitFor();
    await photograph(ada, 'koa-app-document');
  });

  test('ada publishes the document', async () => {
    await click(ada, 'Publish');
    await ada.getByText(/^Published on /).waitFor();
    expect(await ada.getByRole('button', { name: 'Publish' }).count()).toBe(0);
    await follow(ada, 'Documents of Analytical Engines');
    await ada.getByRole('link', { name: 'Notes on the engine' }).waitFor();
    await photograph(ada, 'koa-app-organization');
  });

  test('ada creates an invitation link for an editor', async () => {
    await follow(ada, 'Members');
    await ada.getByRole('combobox', { name: 'Role of ada' }).waitFor();
    await ada.getByRole('combobox', { name: 'Role', exact: true }).selectOption('Editor');
    await click(ada, 'Create invitation link');
    const output = ada.locator('output').getByText(/#token=/);
    link = /http\S+/.exec((await output.textContent()) ?? '')?.[0] ?? '';
    expect(link).toMatch(/\/join#token=[\w-]+$/);
    await photograph(ada, 'koa-app-members');
  });

  test('ben signs up on the page of the link, and joins the organization', async () => {
    await ben.goto(link);
    await heading(ben, 'Sign in to join');
    await ben.getByLabel('Username').fill('ben');
    await click(ben, 'Create account');
    await heading(ben, 'Invitation');
    await ben.getByText('ada invites you to Analytical Engines. Your role: editor.').waitFor();
    await photograph(ben, 'koa-app-invitation');
    await click(ben, 'Accept invitation');
    await heading(ben, 'Analytical Engines');
    await ben.getByText('Your role: Editor.').waitFor();
  });

  test('the link works only once', async () => {
    const other = await ben.context().newPage();
    await other.goto(link);
    await other.getByRole('alert').waitFor();
    await other.close();
  });

  test('ben changes the document, which makes it a draft', async () => {
    await follow(ben, 'Notes on the engine');
    await ben.getByLabel('Text').fill('The engine has no pretensions to originate anything.');
    await click(ben, 'Save as draft');
    await ben.getByText(/^Draft of /).waitFor();
    expect(await ben.getByRole('button', { name: 'Publish' }).count()).toBe(0);
  });

  test('a page that shows an old version cannot overwrite the new version', async () => {
    const other = await ben.context().newPage();
    await other.goto(ben.url());
    await click(ben, 'Save as draft');
    await settled(ben);
    await click(other, 'Save as draft');
    await other
      .getByRole('alert')
      .getByText(/^The document has changed\./)
      .waitFor();
    await other.close();
  });

  test('ada makes ben a viewer, and ben cannot write any more', async () => {
    await ada.reload();
    const role = ada.getByRole('combobox', { name: 'Role of ben' });
    expect(await role.inputValue()).toBe('editor');
    await role.selectOption('Viewer');
    await click(ada, 'Change role: ben');
    await settled(ada);
    await expect.poll(() => ada.getByRole('combobox', { name: 'Role of ben' }).inputValue()).toBe('viewer');
    await ben.goto(`${example.origin}/`);
    await follow(ben, 'Analytical Engines');
    await ben.getByText('Your role: Viewer.').waitFor();
    expect(await ben.getByRole('button', { name: 'Create document' }).count()).toBe(0);
  });

  test('ada confirms the deletion of a document with the passkey, because the sign-in is too old', async () => {
    await database.sql`
      update latchkey.sessions set authenticated_at = authenticated_at - interval '11 minutes'`;
    await follow(ada, 'Documents of Analytical Engines');
    await follow(ada, 'Notes on the engine');
    await click(ada, 'Delete document');
    await ada.getByText('This organization has no documents that you can read yet.').waitFor();
    expect(await database.sql`select from documents`).toHaveLength(0);
  });

  test('ada removes ben, who then gets the page for unknown organizations', async () => {
    const url = ben.url();
    await follow(ada, 'Members');
    await click(ada, 'Remove: ben');
    await expect.poll(() => ada.getByText('ben', { exact: true }).count()).toBe(0);
    const answer = await ben.goto(url);
    expect(answer?.status()).toBe(404);
    await photograph(ben, 'koa-app-not-found');
  });

  test('ada signs out, and signs in on the page that ada wanted to see', async () => {
    const url = ada.url();
    await ada.locator('summary').click();
    await photograph(ada, 'koa-app-switcher');
    await click(ada, 'Sign out');
    await heading(ada, 'Sign in');
    await ada.goto(url);
    await click(ada, 'Sign in with a passkey');
    await heading(ada, 'Members');
    expect(complaints.ours()).toEqual([]);
  });
});
