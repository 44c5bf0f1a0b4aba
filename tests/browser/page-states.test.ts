import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPerson, type Person, signUp } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const organization = '0199aa00-0000-7000-8000-00000000000a';
const bob = '0199aa00-0000-7000-8000-00000000000b';

/** Each page with its path, its request, its text while it loads, and its text after it has loaded. */
const pages = [
  ['dashboard', '/', '**/auth/session?optional', 'Loading your account', 'Save your recovery codes'],
  ['security', '/settings/security', '**/auth/passkey/devices', 'Loading your passkeys', 'This browser'],
  ['files', '/files', '**/api/files', 'Loading your files', 'Select “Create file” to create the first one.'],
  ['organizations', '/organizations', '**/auth/organizations*', 'Loading the organizations', 'Engines'],
  [
    'organization',
    `/organizations/${organization}`,
    `**/auth/organizations/${organization}`,
    'Loading the organization',
    'Invite a member to add the first one.',
  ],
  ['users', '/admin/users', '**/auth/admin/users*', 'Loading the users', '1–2 of 2'],
  [
    'invitations',
    '/admin/invitations',
    '**/auth/admin/invitations*',
    'Loading the invitations',
    'No invitations yet',
  ],
  ['activity', '/admin/activity', '**/auth/admin/audit*', 'Loading the events', 'signed up'],
  ['own activity', '/settings/activity', '**/auth/account/events*', 'Loading the events', 'You signed up'],
  ['overview', '/admin/overview', '**/auth/admin/overview*', 'Loading the overview', 'Sign-ins per day'],
  [
    'user',
    `/admin/users/${bob}`,
    `**/auth/admin/users/${bob}*`,
    'Loading the user',
    'Not signed in anywhere.',
  ],
  ['webhooks', '/admin/webhooks', '**/auth/admin/webhooks', 'Loading the webhooks', 'No webhooks yet'],
] as const;

/**
 * One page of each kind, in this order: a page that waits for the account, a page with several sections, a page without
 * a visible heading while it loads, and a long list.
 */
const photographed: string[] = ['dashboard', 'security', 'organization', 'users'];

story('a page', () => {
  let stage: Stage;
  let ada: Person;
  let page: Page;

  beforeAll(async () => {
    stage = await setStage();
    // The tests cause the failures of these requests on purpose.
    stage.complaints.expect(/the server responded with a status of (429|503)|ERR_INTERNET_DISCONNECTED/);
    ada = await createPerson(stage, 'ada');
    page = ada.page;
    await signUp(ada);
    await stage.database.sql`update latchkey.users set role = 'superadmin'`;
    await stage.database.sql`
      insert into latchkey.organizations (id, name, slug, created_at)
      values (${organization}, 'Engines', 'engines', now())`;
    await stage.database.sql`
      insert into latchkey.users (id, username, user_handle, created_at)
      values (${bob}, 'bob', 'handle-of-bob', now())`;
  });
  afterAll(() => stage?.close());

  test.each(pages)(
    '(%s) shows that the page is loading, then an error, then the content',
    async (name, path, pattern, label, content) => {
      const held = await hold(page, pattern);
      await page.goto(`${stage.origin}${path}`);
      await page.locator('.skeleton[aria-busy=true]').first().waitFor();
      await page.getByRole('status').filter({ hasText: label }).waitFor();
      if (photographed.includes(name)) await photograph(page, `loading-${name}`, { isLoading: true });
      const top = await headingTop(page);

      await held.answer((route) => refuse(route, 503, 5));
      await page.getByText('The service is temporarily unavailable').waitFor();
      await page.getByText('Try again in 5 seconds.').waitFor();
      if (photographed.includes(name)) await photograph(page, `failed-${name}`);

      await held.letGo();
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByText(content).first().waitFor();
      await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
      // The heading is in the same position as while the page was loading.
      if (top !== null) expect(await headingTop(page)).toBe(top);
    },
  );

  test('explains an empty list', async () => {
    for (const [path, words] of [
      ['/files', 'Select “Create file” to create the first one.'],
      [`/organizations/${organization}`, 'Invite a member to add the first one.'],
    ] as const) {
      await ada.goTo(path);
      await page.getByText(words).waitFor();
      await photograph(page, `empty-${path.split('/')[1]}`);
    }
    await stage.database.sql`update latchkey.users set role = 'admin'`;
    for (const [path, words] of [
      ['/admin/users', 'No users yet. Members of'],
      ['/admin/activity', 'No events yet'],
    ] as const) {
      await ada.goTo(path);
      await page.getByText(words).waitFor();
      await photograph(page, `empty-${path.split('/')[2]}`);
    }
    await stage.database.sql`update latchkey.users set role = 'superadmin'`;
  });

  test('marks the current page and the chosen filter even in forced colors', async () => {
    const styleOf = (selector: string, property: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    await ada.goTo('/admin/users');
    await page.emulateMedia({ forcedColors: 'active' });
    expect(await styleOf('.nav-link[aria-current]', 'outlineStyle')).toBe('solid');
    expect(await styleOf('.chip[aria-pressed=true]', 'outlineStyle')).toBe('solid');
    await page.emulateMedia({ forcedColors: 'none' });
    expect(await styleOf('.chip[aria-pressed=true]', 'outlineStyle')).toBe('none');
  });

  test('shows how long the user has to wait after too many attempts, and keeps the typed text', async () => {
    await ada.goTo('/organizations');
    await ada.button('Create an organization').click();
    await page.getByLabel('Name', { exact: true }).fill('Analytical Engines');
    await page.route('**/auth/organizations', (route) => refuse(route, 429, 42));
    await ada.button('Create organization').click();
    await page.getByText('Try again in 42 seconds.').waitFor();
    await photograph(page, 'too-many-attempts');
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Analytical Engines');
    await page.unroute('**/auth/organizations');
    await ada.button('Create organization').click();
    await ada.heading('Analytical Engines').waitFor();
  });

  test('says that the user is offline, keeps the typed text, and works again when the connection returns', async () => {
    await ada.follow('Files');
    await ada.button('Create file in Personal files').click();
    await page.getByLabel('Name', { exact: true }).fill('Diary');
    await page.getByLabel('Text').fill('On the train.');
    await page.context().setOffline(true);
    await page.getByText('Can’t reach the server').waitFor();
    await ada.button('Create file').click();
    await page.getByText('The server is unreachable').waitFor();
    await photograph(page, 'offline-dialog');
    expect(await page.getByLabel('Text').inputValue()).toBe('On the train.');
    await page.context().setOffline(false);
    await expect.poll(() => page.getByText('Can’t reach the server').count()).toBe(0);
    await ada.button('Create file').click();
    await ada.row('Diary').waitFor();
  });

  test('fails to load while the user is offline, and loads automatically when the connection returns', async () => {
    await page.context().setOffline(true);
    await ada.follow('Organizations');
    await page.getByText('The server is unreachable').waitFor();
    await photograph(page, 'offline');
    await page.context().setOffline(false);
    await ada.row('Analytical Engines').waitFor();
    await expect.poll(() => page.getByText('The server is unreachable').count()).toBe(0);
  });

  test('that requires no signed-in user shows an error while the service is unavailable', async () => {
    await page.route('**/auth/session?optional', (route) => refuse(route, 503, 5));
    for (const path of ['/signin', '/recover']) {
      await ada.goTo(path);
      await ada.heading('This page couldn’t be loaded').waitFor();
      await photograph(page, `failed${path.replace('/', '-')}`);
    }
    await page.unroute('**/auth/session?optional');
    await ada.button('Try again').click();
    await ada.heading('Hello, ada').waitFor();
  });

  test('reloads once if the server was updated and the script of a page has another name', async () => {
    stage.complaints.expect(/the server responded with a status of 404/);
    await page.route('**/assets/own-pages-*.js', (route) => route.fulfill({ status: 404 }), { times: 1 });
    await ada.goTo('/settings/security');
    await ada.heading('Security').waitFor();
  });

  test('shows an error if its script is not available, and loads when the user tries again', async () => {
    await page.route('**/assets/administration-pages-*.js', (route) => route.fulfill({ status: 404 }));
    await ada.goTo('/admin/users');
    await ada.heading('This page couldn’t be loaded').waitFor();
    await photograph(page, 'failed-script');
    await page.unroute('**/assets/administration-pages-*.js');
    await ada.button('Try again').click();
    await ada.heading('Users').waitFor();
  });

  test('says that the page could not be loaded if its main script is missing, and loads after a reload', async () => {
    await page.route('**/assets/app.js', (route) => route.fulfill({ status: 404 }));
    await ada.goTo('/signin');
    await ada.heading('This page couldn’t be loaded').waitFor();
    await photograph(page, 'failed-start');
    await page.unroute('**/assets/app.js');
    await ada.button('Reload this page').click();
    await ada.heading('Hello, ada').waitFor();
  });

  test('causes no other errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

/** Delays requests until the test has checked the page. */
async function hold(page: Page, pattern: string) {
  const waiting: Route[] = [];
  let answer: ((route: Route) => Promise<void>) | null = null;
  await page.route(pattern, async (route) => {
    if (route.request().method() !== 'GET') return route.continue();
    if (answer) return answer(route);
    waiting.push(route);
  });
  return {
    async answer(given: (route: Route) => Promise<void>) {
      answer = given;
      for (const route of waiting.splice(0)) await given(route);
    },
    letGo: () => page.unroute(pattern),
  };
}

const refuse = (route: Route, status: 429 | 503, seconds: number) =>
  route.fulfill({
    status,
    headers: { 'content-type': 'application/problem+json', 'retry-after': `${seconds}` },
    body: JSON.stringify({ status, title: '', code: status === 429 ? 'rate_limited' : 'unavailable' }),
  });

/** Returns null if the page has no visible heading. */
async function headingTop(page: Page): Promise<number | null> {
  const heading = page.locator('h1.page-heading');
  return (await heading.count()) === 0 ? null : ((await heading.boundingBox())?.y ?? null);
}
