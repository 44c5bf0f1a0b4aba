import type { CDPSession, Locator, Page } from 'playwright-core';
import { addAuthenticator, type VirtualAuthenticator, webAuthnOf } from './chromium.ts';
import { settled } from './settled.ts';
import type { Stage } from './stage.ts';

/** A user with a browser profile and an authenticator. */
export interface Person {
  username: string;
  page: Page;
  device: VirtualAuthenticator;
  cdp: CDPSession;
  /** Opens a page and waits until the page has loaded everything. */
  goTo(path: string): Promise<void>;
  /** Reloads the page and waits until the page has loaded everything. */
  reload(): Promise<void>;
  heading(name: string | RegExp): Locator;
  button(name: string | RegExp): Locator;
  dialog(name: string | RegExp): Locator;
  /** Returns the list item that contains the text. */
  row(text: string | RegExp): Locator;
  /** Clicks a link in the navigation and waits until the page has loaded everything. */
  follow(name: string): Promise<void>;
}

export async function createPerson(stage: Stage, username: string): Promise<Person> {
  const context = await stage.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.origin });
  const page = await stage.open(context);
  // Turns off passkeys in autofill. Otherwise the virtual authenticator would select a passkey automatically.
  await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  const cdp = await webAuthnOf(page);
  return {
    username,
    page,
    cdp,
    device: await addAuthenticator(cdp, 'internal'),
    goTo: async (path) => {
      await page.goto(`${stage.origin}${path}`);
      await settled(page);
    },
    reload: async () => {
      await page.reload();
      await settled(page);
    },
    heading: (name) => page.getByRole('heading', { name }),
    button: (name) => page.getByRole('button', { name, exact: true }),
    dialog: (name) => page.getByRole('dialog', { name }),
    row: (text) => page.getByRole('listitem').filter({ hasText: text }),
    follow: async (name) => {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
      await settled(page);
    },
  };
}

export async function signUp({ page, goTo, heading, button, username }: Person): Promise<void> {
  await goTo('/signup');
  await page.getByLabel('Username').fill(username);
  await button('Create account with a passkey').click();
  await heading(`Hello, ${username}`).waitFor();
  await settled(page);
}
