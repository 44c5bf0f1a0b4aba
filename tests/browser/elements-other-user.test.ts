import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, type VirtualAuthenticator, webAuthnOf } from './support/chromium.ts';
import { startPlainPage } from './support/plain-page.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

story('the elements, if the user changes in another tab', () => {
  let stage: Stage;
  let page: Page;
  let device: VirtualAuthenticator;
  const sessions: Record<string, Cookies> = {};

  const list = () => page.locator('latchkey-passkeys');
  const keyOf = (username: string) => list().getByRole('heading', { name: `Key of ${username}` });
  /** Signs in the user in another tab: all tabs share the cookies. */
  const signInElsewhere = (username: string) => page.context().addCookies(sessions[username] ?? []);
  const showTab = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  const countPasskeys = async () => (await stage.database.sql`select 1 from latchkey.passkeys`).length;
  const signUp = async (username: string) => {
    await page.context().clearCookies();
    await page.reload();
    await page.locator('latchkey-sign-up').getByLabel('Username').fill(username);
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    await page.getByText(`Hello, ${username}`).waitFor();
    sessions[username] = await page.context().cookies();
  };
  /** Opens the page as Ada, whose list is then visible. */
  const openAsAda = async () => {
    await signInElsewhere('ada');
    await page.reload();
    await keyOf('ada').waitFor();
  };

  beforeAll(async () => {
    stage = await setStage({ start: startPlainPage });
    page = await stage.open(await stage.newContext());
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    device = await addAuthenticator(await webAuthnOf(page), 'internal');
    await page.goto(stage.origin);
    await signUp('bob');
    await signUp('ada');
    await stage.database.sql`
      update latchkey.passkeys set label = 'Key of ' || username from latchkey.users where users.id = user_id`;
  });
  afterAll(() => stage?.close());

  test('a list that is shown again never shows the passkeys of the previous user', async () => {
    await openAsAda();
    await signInElsewhere('bob');
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/auth/passkey/devices', async (route) => {
      await released;
      await route.continue();
    });
    await page.evaluate(`{
      const list = document.querySelector('latchkey-passkeys');
      list.parentElement.append(list);
    }`);
    await list().getByText('Loading your passkeys…').waitFor();
    expect(await keyOf('ada').count()).toBe(0);
    release();
    await keyOf('bob').waitFor();
    await page.unroute('**/auth/passkey/devices');
  });

  test('a list shows the passkeys of the next user as soon as the tab is visible again', async () => {
    await openAsAda();
    await list().getByRole('button', { name: 'Actions for Key of ada' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await list().getByRole('textbox').fill('The secret of ada');
    await signInElsewhere('bob');
    await showTab();
    await keyOf('bob').waitFor();
    expect(await keyOf('ada').count()).toBe(0);
    await signInElsewhere('ada');
    await showTab();
    await keyOf('ada').waitFor();
    expect(await list().getByRole('textbox').count()).toBe(0);
  });

  test('a list hides the passkeys as soon as the tab is visible again if the user has signed out', async () => {
    await openAsAda();
    stage.complaints.expect(/status of 401/);
    await page.context().clearCookies();
    await showTab();
    await list().getByText('Your session has ended').waitFor();
    expect(await keyOf('ada').count()).toBe(0);
    await signInElsewhere('bob');
    await list().getByRole('button', { name: 'Try again' }).click();
    await keyOf('bob').waitFor();
    expect(await list().getByText('Your session has ended').count()).toBe(0);
  });

  test('a passkey that the next user adds is not shown among those of the previous user', async () => {
    await openAsAda();
    const key = await addAuthenticator(await page.context().newCDPSession(page), 'usb');
    await device.setPresent(false);
    await signInElsewhere('bob');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await list().getByLabel('Name this passkey').waitFor();
    await keyOf('bob').waitFor();
    expect(await keyOf('ada').count()).toBe(0);
    await key.lose();
    await device.setPresent(true);
  });

  test('a passkey of the previous user is not reported as removed if the next user removes it', async () => {
    await openAsAda();
    await page.evaluate(`{
      window.changes = [];
      document.addEventListener('latchkey-passkeys-changed', ({ detail }) => changes.push(detail.change));
    }`);
    await signInElsewhere('bob');
    stage.complaints.expect(/status of 404/);
    await list().getByRole('button', { name: 'Actions for Key of ada' }).click();
    await page.getByRole('menuitem', { name: 'Remove…' }).click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await keyOf('bob').waitFor();
    expect(await page.evaluate('changes')).toEqual([]);
  });

  test('a confirmation by the next user does not run the action of the previous user', async () => {
    await openAsAda();
    await stage.age();
    const before = await countPasskeys();
    const attempts: string[] = [];
    page.on(
      'request',
      (request) => request.url().endsWith('/devices/add') && attempts.push(request.method()),
    );
    await page.getByRole('button', { name: 'Add passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' });
    await dialog.waitFor();
    await signInElsewhere('bob');
    const confirmed = page.waitForResponse('**/auth/passkey/stepup/verify');
    await dialog.getByRole('button', { name: 'Use your passkey' }).click();
    expect((await confirmed).status()).toBe(200);
    await page.getByText('No passkey was added').waitFor();
    expect(await dialog.count()).toBe(0);
    // The service refused the only attempt, because the authentication of Ada was too old.
    expect(attempts).toEqual(['POST']);
    expect(await countPasskeys()).toBe(before);
  });

  test('cause no other errors in the console', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});
