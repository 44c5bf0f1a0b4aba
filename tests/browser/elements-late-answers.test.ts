import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, webAuthnOf } from './support/chromium.ts';
import { startPlainPage } from './support/plain-page.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('the elements, if a response is late or unusual', () => {
  let stage: Stage;
  let page: Page;
  let id: string;

  const list = () => page.locator('latchkey-passkeys');
  const nameOf = (label: string) => list().getByRole('heading', { name: label, exact: true });
  const dialog = () => page.getByRole('dialog', { name: 'Confirm it’s you' });
  const rename = (label: string) =>
    page.evaluate(
      `document.querySelector('latchkey-passkeys').renamePasskey('${id}', ${JSON.stringify(label)})`,
    );
  const reload = async () => {
    await page.reload();
    await list().getByRole('heading').first().waitFor();
  };
  /** Waits until the page has handled the answers that it has received. */
  const settle = () => page.evaluate(`fetch('/auth/session?optional').then((answer) => answer.json())`);
  /**
   * Intercepts the next request for `url`. `handle` returns a function that sends the response. `held` resolves with this
   * function. `pass` calls it, and resolves after the page has processed the response.
   */
  const hold = async (url: string, handle: (route: Route) => Promise<() => Promise<void>>) => {
    let report = (_: () => Promise<void>): void => {};
    const held = new Promise<() => Promise<void>>((resolve) => {
      report = resolve;
    });
    await page.route(url, async (route) => report(await handle(route)), { times: 1 });
    const pass = async () => {
      const send = await held;
      const answered = page.waitForResponse(url);
      await send();
      await (await answered).finished();
      await settle();
    };
    return { held, pass };
  };

  beforeAll(async () => {
    stage = await setStage({ start: startPlainPage });
    page = await stage.open(await stage.newContext());
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(stage.origin);
    await page.locator('latchkey-sign-up').getByLabel('Username').fill('ada');
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    await list().getByRole('heading').first().waitFor();
    [{ id }] = (await stage.database.sql`select id from latchkey.passkeys`) as never as [{ id: string }];
  });
  afterAll(() => stage?.close());

  test('a list that was requested before a change does not undo the change', async () => {
    await rename('Before');
    const { held, pass } = await hold('**/auth/passkey/devices', async (route) => {
      const response = await route.fetch();
      return () => route.fulfill({ response });
    });
    await page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await held;
    await rename('After');
    await nameOf('After').waitFor();
    await pass();
    expect([await nameOf('Before').count(), await nameOf('After').count()]).toEqual([0, 1]);
  });

  test('a new name does not replace a list that could not be loaded', async () => {
    stage.complaints.expect(/net::ERR_FAILED/);
    await page.route('**/auth/passkey/devices', (route) => route.abort(), { times: 1 });
    await page.reload();
    await list().getByRole('button', { name: 'Try again' }).waitFor();
    await page.evaluate(`{
      window.changes = [];
      document.addEventListener('latchkey-passkeys-changed', ({ detail }) => changes.push(detail.passkeys));
    }`);
    await rename('Later');
    await nameOf('Later').waitFor();
    expect(await page.evaluate('changes')).toEqual([]);
  });

  test('a canceled step-up does not close the dialog of a later request', async () => {
    await reload();
    await stage.age();
    stage.complaints.expect(/status of 403/);
    await page.evaluate(`{
      window.confirmations = 0;
      document.addEventListener('latchkey-confirmed', () => { confirmations += 1; });
    }`);
    const { held, pass } = await hold(
      '**/auth/passkey/stepup/verify',
      async (route) => () => route.continue(),
    );
    const add = page.getByRole('button', { name: 'Add passkey' });
    await add.click();
    await dialog().getByRole('button', { name: 'Use your passkey' }).click();
    await held;
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('No passkey was added').waitFor();
    await add.click();
    await dialog().waitFor();
    await pass();
    await settle();
    expect([await dialog().count(), await page.evaluate('confirmations')]).toEqual([1, 0]);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
  });

  test('a name with a replacement pattern and an unknown transport are shown as text', async () => {
    await stage.database.sql`
      update latchkey.passkeys set label = '$&', transports = '["constructor"]', backup_eligible = false, backed_up = false`;
    await reload();
    await list().getByRole('button', { name: 'Actions for $&' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await list().getByRole('textbox', { name: 'Name of the passkey $&', exact: true }).waitFor();
    expect(
      await list()
        .getByText(/native code|Security key/)
        .count(),
    ).toBe(0);
  });

  test('a check of the username that ends after the sign-up does not say that the username is taken', async () => {
    page = await stage.open(await stage.newContext());
    await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(stage.origin);
    // The form stays, as on a page that shows something else next to it.
    await page.evaluate(`{
      window.signUps = 0;
      addEventListener('latchkey-signed-up', (event) => { signUps += 1; event.stopImmediatePropagation(); }, true);
    }`);
    const { held } = await hold('**/auth/username/availability?*', async (route) => async () => {
      await route.fulfill({ response: await route.fetch() });
    });
    const form = page.locator('latchkey-sign-up');
    await form.getByLabel('Username').fill('ben');
    await held;
    await form.getByRole('button', { name: 'Create account with a passkey' }).click();
    await expect.poll(() => page.evaluate('signUps')).toBe(1);
    await (await held)();
    await settle();
    expect(await form.getByText('is taken').count()).toBe(0);
  });
});
