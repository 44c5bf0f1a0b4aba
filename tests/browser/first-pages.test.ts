import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAuthenticator, type VirtualAuthenticator, webAuthnOf } from './support/chromium.ts';
import { choose } from './support/person.ts';
import { photograph } from './support/photograph.ts';
import { settled } from './support/settled.ts';
import { signOut } from './support/sign-out.ts';
import { type Stage, setStage } from './support/stage.ts';
import { story } from './support/story.ts';

story('a user', () => {
  let stage: Stage;
  let page: Page;
  let cdp: CDPSession;
  let laptop: VirtualAuthenticator;
  let securityKey: VirtualAuthenticator;

  beforeAll(async () => {
    stage = await setStage();
    page = await stage.open(await stage.newContext());
    cdp = await webAuthnOf(page);
    laptop = await addAuthenticator(cdp, 'internal');
  });
  afterAll(() => stage?.close());

  test('sees while typing whether a username is available', async () => {
    await page.goto(`${stage.origin}/signup`);
    await settled(page);
    await page.getByLabel('Username').fill('ad');
    await photograph(page, 'sign-up-short');
    await page.getByLabel('Username').fill('admin');
    await page
      .getByText(/reserved|can’t be used/i)
      .first()
      .waitFor();
    await page.getByLabel('Username').fill('Ada.Lovelace');
    await page
      .getByText(/available/i)
      .first()
      .waitFor();
    await photograph(page, 'sign-up-available');
  });

  test('signs up with a passkey on the laptop', async () => {
    await page.getByRole('button', { name: 'Create account with a passkey' }).click();
    await page.getByRole('heading', { name: 'Hello, ada.lovelace' }).waitFor();
    expect(await laptop.credentials()).toMatchObject([{ isResidentCredential: true }]);
    await photograph(page, 'dashboard');
  });

  test('sees in a second browser that the username is taken', async () => {
    const other = await stage.open(await stage.newContext());
    await other.goto(`${stage.origin}/signup`);
    await other.getByLabel('Username').fill('ADA.lovelace');
    await other.getByText(/taken/i).first().waitFor();
    await photograph(other, 'sign-up-taken');
    await other.close();
  });

  test('signs out', async () => {
    await laptop.setPresent(false);
    await signOut(page);
    await photograph(page, 'sign-in');
    await page.goto(`${stage.origin}/settings/security`);
    await settled(page);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  test('signs in with autofill, and returns to the requested page', async () => {
    // Chromium offers the passkey in the username field, and the virtual authenticator selects the passkey
    // automatically. The test turns on the authenticator on `/signup`, because this page starts no ceremony. On the
    // sign-in page, the authenticator would select the passkey before the test opens `/settings/security`.
    await page.goto(`${stage.origin}/signup`);
    await settled(page);
    await laptop.setPresent(true);
    await page.goto(`${stage.origin}/settings/security`);
    await settled(page);
    await page.getByRole('heading', { name: 'Security' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/settings/security');
    await photograph(page, 'security-one-passkey');
  });

  test('cannot remove the only passkey, and sees why', async () => {
    await choose(passkeyRows(page), /^Actions for/, 'Remove');
    await page.getByRole('heading', { name: 'You can’t remove your only passkey' }).waitFor();
    await photograph(page, 'remove-the-last');
    await page.getByRole('button', { name: 'Close' }).click();
  });

  test('adds a second passkey on a security key', async () => {
    securityKey = await addAuthenticator(cdp, 'usb');
    await laptop.setPresent(false);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await expect.poll(() => passkeyRows(page).count()).toBe(2);
    expect(await securityKey.credentials()).toHaveLength(1);
    await page.getByText('Only on this security key').first().waitFor();
    await page.getByText('Synced across your devices').first().waitFor();
  });

  test('names the second passkey', async () => {
    await photograph(page, 'rename');
    await page.getByLabel('Name this passkey').fill('Schlüsselbund am Haken');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Schlüsselbund am Haken' }).waitFor();
    await photograph(page, 'security-two-passkeys');
  });

  test('signs in with the button and the security key', async () => {
    await securityKey.setPresent(false);
    await signOut(page);
    // Turns off passkeys in autofill. Otherwise the virtual authenticator would select a passkey there first.
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
    await page.goto(`${stage.origin}/signin`);
    await settled(page);
    await securityKey.setPresent(true);
    await page.getByLabel('Username').fill('ada.lovelace');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('heading', { name: 'Hello, ada.lovelace' }).waitFor();
    await page.goto(`${stage.origin}/settings/security`);
    await settled(page);
    await passkeyRows(page)
      .nth(1)
      .getByText(/Last used/)
      .waitFor();
  });

  test('authenticates again if authentication is no longer fresh, and the action continues', async () => {
    await stage.age();
    await choose(passkeyRows(page).nth(0), /^Actions for/, 'Remove');
    await page.getByRole('heading', { name: 'Remove this passkey?' }).waitFor();
    await photograph(page, 'remove-confirm');
    await page.getByRole('button', { name: 'Remove passkey', exact: true }).click();
    await expect.poll(() => passkeyRows(page).count()).toBe(1);
    await page.getByRole('heading', { name: 'Schlüsselbund am Haken' }).waitFor();
  });

  test('cannot remove the last passkey even with a direct request', async () => {
    const status = await page.evaluate(async () => {
      const answer = await fetch('/auth/passkey/devices');
      const { devices } = (await answer.json()) as { devices: [{ id: string }] };
      const refusal = await fetch(`/auth/passkey/devices/${devices[0].id}`, { method: 'DELETE' });
      // Chromium finishes a request only when its body has been read.
      await refusal.text();
      return refusal.status;
    });
    expect(status).toBe(409);
  });

  test('sees the door open after a sign-in, unless the system asks for reduced motion', async () => {
    const seesDoorOpen = async (reducedMotion: 'no-preference' | 'reduce') => {
      await page.emulateMedia({ reducedMotion });
      await signOut(page);
      await page.evaluate(watchDoor);
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
      await page.getByRole('heading', { name: 'Hello, ada.lovelace' }).waitFor();
      return page.evaluate('window.hasDoorOpened');
    };
    expect(await seesDoorOpen('no-preference')).toBe(true);
    expect(await seesDoorOpen('reduce')).toBe(false);
  });

  test('causes no errors in the console, such as violations of the content security policy', () => {
    expect(stage.complaints.ours()).toEqual([]);
  });
});

const passkeyRows = (page: Page) => page.getByRole('region', { name: 'Passkeys' }).getByRole('listitem');

/** Runs in the page. From now on, records whether the door opens. */
const watchDoor = `{
  window.hasDoorOpened = false;
  new MutationObserver(() => {
    if (document.querySelector('.door-opens .door__gap')) window.hasDoorOpened = true;
  }).observe(document.body, { subtree: true, childList: true, attributes: true });
}`;
