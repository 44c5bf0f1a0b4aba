import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type StartedExample, startExample } from '../support/started-example.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from './support/chromium.ts';
import { Complaints } from './support/complaints.ts';
import { story } from './support/story.ts';
import { watchPage } from './support/watched-pages.ts';

/** A page of an example, with an authenticator. */
interface Visit {
  example: StartedExample;
  database: TestDatabase;
  browser: Browser;
  page: Page;
  complaints: Complaints;
}

async function visit(name: string): Promise<Visit> {
  const database = await createTestDatabase({ empty: true });
  const example = await startExample(name, database.url);
  const browser = await launchChromium(findChromium() ?? '');
  const page = await (await browser.newContext()).newPage();
  const complaints = new Complaints();
  watchPage(page, complaints);
  await addAuthenticator(await webAuthnOf(page), 'internal');
  await page.goto(example.origin);
  return { example, database, browser, page, complaints };
}

/** @returns the exit code of the example */
async function leave({ browser, example, database }: Visit): Promise<number | null> {
  await browser.close();
  const exitCode = await example.stop();
  await database.drop();
  return exitCode;
}

const click = (page: Page, name: string) => page.getByRole('button', { name }).click();
const status = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

describe.each(['express', 'hono'])('the example in the folder %s', (name) => {
  story('a user', () => {
    let visited: Visit;
    beforeAll(async () => {
      visited = await visit(name);
    });
    afterAll(async () => {
      expect(await leave(visited)).toBe(0);
    });

    test('signs up, signs out and signs in', async () => {
      const { page, complaints } = visited;
      await status(page, 'You are not signed in.');
      await page.getByLabel('Username').fill('ada');
      await click(page, 'Create account');
      await status(page, 'Hello ada');
      await click(page, 'Sign out');
      await status(page, 'You are not signed in.');
      await click(page, 'Sign in');
      await status(page, 'Hello ada');
      expect(complaints.ours()).toEqual([]);
    });
  });
});

describe('the example in the folder websocket', () => {
  story('a user', () => {
    let visited: Visit;
    beforeAll(async () => {
      visited = await visit('websocket');
    });
    afterAll(async () => {
      expect(await leave(visited)).toBe(0);
    });

    test('chats after the sign-up', async () => {
      const { page } = visited;
      await status(page, 'You are not signed in.');
      await page.getByLabel('Username').fill('ada');
      await click(page, 'Create account');
      await status(page, 'Connected');
      await page.getByText('Hello ada', { exact: true }).waitFor();
      await page.getByLabel('Message').fill('good day');
      await click(page, 'Send message');
      await page.getByText('ada: good day', { exact: true }).waitFor();
    });

    test('is disconnected by a sign-out in another tab', async () => {
      const { page, example, complaints } = visited;
      const other = await page.context().newPage();
      await other.goto(example.origin);
      await status(other, 'Connected');
      await click(other, 'Sign out');
      await status(page, 'Disconnected: ended');
      await status(other, 'Disconnected: ended');
      expect(complaints.ours()).toEqual([]);
    });
  });
});
