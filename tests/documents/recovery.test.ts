import { readFileSync } from 'node:fs';
import { createAuthService } from 'latchkey';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from '../browser/support/chromium.ts';
import { watchPage } from '../browser/support/watched-pages.ts';
import { newAuthenticator } from '../support/person.ts';
import { createTestDatabase } from '../support/test-database.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { openPage, usePages } from './support/page.ts';
import { startPasted } from './support/pasted-service.ts';
import { runStatements } from './support/run-blocks.ts';
import { startApp } from './support/start-app.ts';

const guide = readGuide('docs/guides/recovery.md');
const firstPage = otherPage('docs/start/first-page.md');
const firstServer = otherPage('docs/start/first-server.md');
const executable = findChromium();
usePages();
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** Reads a page whose other blocks another test runs. */
function otherPage(path: string) {
  const blocks = readFileSync(path, 'utf8')
    .split('```')
    .filter((block) => block.startsWith('js\n'));
  return { block: (text: string) => `${blocks.find((block) => block.includes(text))}`.slice(3) };
}

/** Signs a user up who has two passkeys, and returns a page of the user. */
async function signUp(username: string) {
  const first = openPage(service);
  const auth = first.createAuthClient();
  await auth.signUp({ username, label: 'Phone' });
  const second = openPage(service, { browser: first.browser, authenticator: newAuthenticator() });
  await second.createAuthClient().passkeys.add({ label: 'Laptop' });
  return { auth, phone: first, laptop: second };
}

const keepLaptop = async (_question: string, passkeys: { id: string; label: string }[]) =>
  passkeys.filter(({ label }) => label === 'Laptop').map(({ id }) => id);

test('a recovery code restores access, keeps the chosen passkey, and replaces all codes', async () => {
  const { auth, phone, laptop } = await signUp('ada');
  const shown: string[][] = [];
  const show = (codes: string[]) => shown.push(codes);
  await runStatements(guide.block('generateCodes()'), { auth, show });
  const [code = ''] = shown[0] ?? [];
  const recovering = openPage(service).createAuthClient();
  const use = () =>
    runStatements(guide.block('auth.recovery.useCode'), {
      auth: recovering,
      username: 'ada',
      code,
      ask: keepLaptop,
      show,
    });
  await use();
  expect((await recovering.session())?.user.passkeyCount).toBe(2);
  expect(shown[1]).toHaveLength(10);
  await expect(use()).rejects.toMatchObject({ code: 'authentication_failed' });
  expect(await auth.session()).toBeNull();
  await expect(phone.createAuthClient().signIn()).rejects.toMatchObject({ code: 'authentication_failed' });
  expect((await laptop.createAuthClient().signIn()).user.username).toBe('ada');
});

test('a recovery link opens a recovery session, and the user can cancel a link', async () => {
  const { auth } = await signUp('ben');
  const create = () =>
    runStatements(`${guide.block('createRecoveryLink').replace("'ada'", "'ben'")}\nreturn url;`, {
      auth: service.auth,
    }) as Promise<string>;
  const open = async (url: string) => {
    const recovering = openPage(service).createAuthClient();
    await recovering.recovery.useLink(`${new URLSearchParams(new URL(url).hash.slice(1)).get('token')}`);
    return (await recovering.session())?.session.kind;
  };
  expect(await open(await create())).toBe('recovery');

  const url = await create();
  await runStatements(guide.block('cancelLink'), { auth, ask: async () => 'no' });
  await expect(open(url)).rejects.toMatchObject({ code: 'authentication_failed' });
});

test.skipIf(executable === null)(
  'a user opens the link on the page of the guide, adds a passkey, and is signed in with new codes',
  async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    const app = await startApp(
      {
        'app.mjs': firstPage.block('createApp(auth) {'),
        'server.mjs': firstServer.block('createAuthService({'),
        'public/recover/index.html': guide.block('<h1>Account recovery</h1>'),
        'public/recover.js': guide.block('auth.recovery.useLink'),
      },
      { DATABASE_URL: database.url },
    );
    onTestFinished(() => app.stop('SIGINT').then(() => undefined));
    const operator = await createAuthService({ database: database.url, secret, env: {} });
    onTestFinished(() => operator.close());
    const { users } = operator.asOperator('ops');
    await users.create({ username: 'eve' });
    const { token } = await users.createRecoveryLink('eve');

    const browser = await launchChromium(executable ?? '');
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    watchPage(page);
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(`${app.origin}/recover#token=${token}`);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByText('Save these recovery codes').waitFor();
    expect(await page.locator('#message').textContent()).toMatch(/codes:( \S+){10}$/);
    await page.goto(`${app.origin}/hello`);
    expect(await page.textContent('body')).toContain('eve');
  },
);

test('with a delay, a new link cannot be used at once', async () => {
  const slow = await startPasted({ 'auth.ts': guide.block('assistedRecoveryDelaySeconds') });
  await openPage(slow).createAuthClient().signUp({ username: 'ada' });
  const { token } = await slow.auth.asOperator('ops').users.createRecoveryLink('ada');
  const use = openPage(slow).createAuthClient().recovery.useLink(token);
  await expect(use).rejects.toMatchObject({ code: 'recovery_link_waiting' });
  await slow.close();
});
