import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectAccessible, expectAccessibleStill } from './support/axe.ts';
import { addAuthenticator, type VirtualAuthenticator, webAuthnOf } from './support/chromium.ts';
import { choose } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { startPlainPage } from './support/plain-page.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** Bundles a module with Vite and the built package. The elements and the module share one client. */
async function bundle(source: string): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: [
        { find: /^latchkey\/elements$/, replacement: path('dist/elements/index.js') },
        { find: /^latchkey\/elements\/([a-z-]+)$/, replacement: path('dist/elements/$1.js') },
        { find: /^latchkey\/client$/, replacement: path('dist/client/index.js') },
      ],
    },
    plugins: [
      {
        name: 'the module',
        resolveId: (id) => (id === 'virtual:page' ? id : null),
        load: (id) => (id === 'virtual:page' ? source : null),
      },
    ],
    build: { write: false, modulePreload: false, rollupOptions: { input: 'virtual:page' } },
  });
  const [{ output }] = [result].flat() as { output: { code?: string }[] }[] as [
    { output: { code?: string }[] },
  ];
  return output[0]?.code ?? '';
}

const style = (page: Page, tag: string, part: string, property: string): Promise<string> =>
  page.evaluate<string>(
    `getComputedStyle(document.querySelector('${tag}').shadowRoot.querySelector('[part~="${part}"]'))['${property}']`,
  );

story('the elements on a plain page with a strict content security policy', () => {
  let stage: Stage;
  let page: Page;
  let device: VirtualAuthenticator;

  const signUp = () => page.locator('latchkey-sign-up');
  const signIn = () => page.locator('latchkey-sign-in');
  const signOut = async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  };
  /** Collects the events of the elements with their details. */
  const listen = (...names: string[]) =>
    page.evaluate(`{
      window.heard ??= [];
      for (const name of ${JSON.stringify(names)})
        document.addEventListener(name, ({ type, detail }) => heard.push([type, detail.error?.code ?? detail]));
    }`);
  const heard = <Event>() => page.evaluate<Event[]>('heard');

  beforeAll(async () => {
    stage = await setStage({ start: startPlainPage });
    page = await stage.open(await stage.newContext());
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    device = await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(stage.origin);
  });
  afterAll(() => stage?.close());

  test('are accessible in both color schemes', async () => {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectAccessible(page, 'the plain page');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectAccessibleStill(page, 'the plain page in the dark');
    await photograph(page, 'elements-plain');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  test('follow the variables, the part styles and the color scheme of the page', async () => {
    expect(await style(page, 'latchkey-sign-in', 'submit', 'backgroundColor')).toBe('rgb(59, 59, 152)');
    expect(await style(page, 'latchkey-sign-in', 'submit', 'borderRadius')).toBe('32px');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await style(page, 'latchkey-sign-in', 'submit', 'backgroundColor')).toBe('rgb(184, 184, 255)');
    expect(await style(page, 'latchkey-sign-in', 'input', 'backgroundColor')).toBe('rgb(19, 32, 27)');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(await style(page, 'latchkey-sign-in', 'input', 'backgroundColor')).toBe('rgb(255, 255, 255)');
  });

  test('darken the main button under the pointer in light mode, and lighten it in dark mode', async () => {
    const mixed = (color: string) =>
      page.evaluate<string>(`{
        const probe = document.createElement('i');
        probe.style.background = 'color-mix(in srgb, ${color})';
        document.body.append(probe);
        const { backgroundColor } = getComputedStyle(probe);
        probe.remove();
        backgroundColor;
      }`);
    await signIn().getByRole('button').hover();
    const shown = () => style(page, 'latchkey-sign-in', 'submit', 'backgroundColor');
    await expect.poll(shown).toBe(await mixed('rgb(59, 59, 152) 82%, rgb(15, 26, 22)'));
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(shown).toBe(await mixed('rgb(184, 184, 255) 82%, rgb(237, 243, 240)'));
    await page.emulateMedia({ colorScheme: 'light' });
    await page.mouse.move(0, 0);
  });

  test('have fields that password managers can fill with usernames and passkeys', async () => {
    expect(await signIn().getByLabel('Username').getAttribute('autocomplete')).toBe('username webauthn');
    expect(await signUp().getByLabel('Username').getAttribute('autocomplete')).toBe('username');
  });

  test('say while the user types whether a username is available', async () => {
    await signUp().getByRole('button', { name: 'Create account with a passkey' }).click();
    await signUp().getByText('Choose a username.').waitFor();
    expect(await signUp().getByLabel('Username').getAttribute('aria-invalid')).toBe('true');
    await signUp().getByLabel('Username').fill('admin');
    await signUp().getByText('admin is reserved. Choose another username.').waitFor();
    await signUp().getByLabel('Username').fill('Ada');
    await signUp().getByText('Available as ada').waitFor();
    await signUp().getByLabel('Display name').fill('Ada Lovelace');
  });

  test('explain a canceled prompt and a wrong passkey, unless the page explains them', async () => {
    await listen('latchkey-failed');
    await device.setUserVerified(false);
    await signUp().getByRole('button', { name: 'Create account with a passkey' }).click();
    await signUp().getByText('No account was created').waitFor();
    await signIn().getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signIn().getByText('You’re not signed in yet').waitFor();
    expect(await heard()).toEqual([
      ['latchkey-failed', 'ceremony_canceled'],
      ['latchkey-failed', 'ceremony_canceled'],
    ]);
    await expectAccessible(page, 'the plain page with messages');
    await page.evaluate(`document.addEventListener('latchkey-failed', (event) => event.preventDefault())`);
    await signIn().getByRole('button', { name: 'Sign in with a passkey' }).click();
    await expect.poll(async () => (await heard()).length).toBe(3);
    expect(await signIn().getByText('You’re not signed in yet').count()).toBe(0);
    await device.setUserVerified(true);
  });

  test('create an account, and send the account to the page in an event', async () => {
    await page.evaluate(`addEventListener('latchkey-signed-up', ({ composed, detail }) => {
      sessionStorage.signedUp = JSON.stringify([composed, detail.user.username, detail.passkey.id !== '']);
    })`);
    await signUp().getByRole('button', { name: 'Create account with a passkey' }).click();
    await page.getByText('Hello, Ada Lovelace').waitFor();
    expect(JSON.parse(await page.evaluate<string>('sessionStorage.signedUp'))).toEqual([true, 'ada', true]);
  });

  test('sign in with a passkey, and say if the account is disabled', async () => {
    await signOut();
    await stage.database.sql`update latchkey.users set status = 'disabled'`;
    await signIn().getByRole('button', { name: 'Sign in with a passkey' }).click();
    await signIn().getByText('Your account is disabled').waitFor();
    await stage.database.sql`update latchkey.users set status = 'active'`;
    await signIn().getByLabel('Username').fill('ada');
    await signIn().getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Hello, Ada Lovelace').waitFor();
  });

  test('list passkeys, and add, rename and remove a passkey', async () => {
    await listen('latchkey-passkeys-changed');
    const list = page.locator('latchkey-passkeys');
    const cards = list.getByRole('listitem').filter({ hasText: 'Added' });
    await expect.poll(() => cards.count()).toBe(1);
    const key = await addAuthenticator(await page.context().newCDPSession(page), 'usb');
    await device.setPresent(false);
    await list.getByRole('button', { name: 'Add passkey' }).click();
    await list.getByLabel('Name this passkey').fill('Blue key');
    await expectAccessible(page, 'the list with a new passkey');
    await photograph(page, 'elements-passkeys');
    await list.getByRole('button', { name: 'Save' }).click();
    await list.getByRole('heading', { name: 'Blue key' }).waitFor();
    await list.getByRole('button', { name: 'Actions for Blue key' }).click();
    await expectAccessible(page, 'the menu of a passkey');
    await photograph(page, 'elements-menu');
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    const dialog = list.getByRole('dialog', { name: 'Remove this passkey?' });
    await dialog.getByText('You can no longer sign in with Blue key.').waitFor();
    await expectAccessible(page, 'the dialog that removes a passkey');
    // The session is too old, so the click opens the passkey prompt, but no second dialog.
    await stage.age();
    await dialog.getByRole('button', { name: 'Remove passkey' }).click();
    await expect.poll(() => cards.count()).toBe(1);
    const events =
      await heard<[string, { change: string; passkey: { label: string }; passkeys: unknown[] }]>();
    expect(
      events.map(([, { change, passkey, passkeys }]) => [change, passkey.label, passkeys.length]),
    ).toEqual([
      ['added', expect.any(String), 2],
      ['renamed', 'Blue key', 2],
      ['removed', 'Blue key', 1],
    ]);
    await key.lose();
    await device.setPresent(true);
  });

  test('explain why the only passkey cannot be removed', async () => {
    await choose(page, /^Actions for/, 'Remove');
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('You can’t remove your only passkey').waitFor();
  });

  test('ask the user to confirm with the passkey before an action, and cancel the action after Escape', async () => {
    await stage.age();
    const add = page.getByRole('button', { name: 'Add passkey' });
    await add.click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.waitFor();
    await expectAccessible(page, 'the dialog of the step-up');
    await photograph(page, 'elements-step-up');
    await page.keyboard.press('Escape');
    await page.getByText('No passkey was added').waitFor();
    expect(await dialog.count()).toBe(0);
    await listen('latchkey-confirmed');
    await add.click();
    await dialog.getByRole('button', { name: 'Use your passkey' }).click();
    // After the step-up, the action continues: the authenticator has a passkey already.
    await page.getByText('This device already has a passkey for your account').waitFor();
    expect((await heard<[string]>()).map(([name]) => name)).toContain('latchkey-confirmed');
  });

  test('ask a user without a passkey to confirm with the password', async () => {
    await page.evaluate(`import('/auth/client/index.js').then(({ createAuthClient }) =>
      createAuthClient().password.set('eight ships in a bottle').then(() => {}))`);
    await stage.database.sql`delete from latchkey.passkeys`;
    await stage.age();
    await page.evaluate(`{
      const inline = document.createElement('latchkey-step-up');
      inline.toggleAttribute('inline', true);
      document.querySelector('main').append(inline);
    }`);
    const panel = page.getByRole('region', { name: 'Confirm it’s you' });
    await panel.getByLabel('Password').fill('seven ships in a bottle');
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await panel.getByText('Wrong password').waitFor();
    await panel.getByLabel('Password').fill('eight ships in a bottle');
    await panel.getByRole('button', { name: 'Confirm' }).click();
    await expect.poll(() => panel.count()).toBe(0);
  });

  test('show texts in the language of the page, and texts that the page sets', async () => {
    await signOut();
    await page.evaluate(`document.documentElement.lang = 'de-AT'`);
    await page.evaluate(`import('/auth/elements/de.js').then(() => {})`);
    await signIn().getByRole('button', { name: 'Mit Passkey anmelden' }).waitFor();
    await page.evaluate(`{
      const element = document.querySelector('latchkey-sign-in');
      element.messages = { ...element.messages, signIn: { ...element.messages.signIn, submit: 'Rein' } };
    }`);
    await signIn().getByRole('button', { name: 'Rein' }).waitFor();
    await page.evaluate(
      `Object.assign(document.querySelector('latchkey-sign-in'), { messages: null, lang: 'en' })`,
    );
    await signIn().getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    await signUp().getByRole('button', { name: 'Konto mit Passkey erstellen' }).waitFor();
    await photograph(page, 'elements-german');
  });

  test('work in a Vite bundle, with a client that the page creates', async () => {
    const script = await bundle(`
      import 'latchkey/elements/sign-in';
      import { AuthClientError, createAuthClient } from 'latchkey/client';
      const element = document.createElement('latchkey-sign-in');
      element.client = createAuthClient({ baseUrl: '/auth/' + 'none' });
      element.addEventListener('latchkey-failed', ({ detail: { error } }) => {
        document.title = String(error instanceof AuthClientError) + ' ' + error.code;
      });
      document.body.replaceChildren(element);
    `);
    await page.route('**/auth/elements/index.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    );
    await page.route('**/page.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
    stage.complaints.expect(/status of 404/);
    await page.reload();
    await signIn().getByRole('button', { name: 'Sign in with a passkey' }).click();
    // The path does not exist, so the response is not from the service.
    await expect.poll(() => page.title()).toMatch(/^true (not_found|invalid_response)$/);
  });

  test('cause no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
