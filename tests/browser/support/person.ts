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
  /** Opens a path or a link and waits until the page has loaded everything. */
  goTo(pathOrLink: string): Promise<void>;
  /** Reloads the page and waits until the page has loaded everything. */
  reload(): Promise<void>;
  heading(name: string | RegExp): Locator;
  button(name: string | RegExp): Locator;
  dialog(name: string | RegExp): Locator;
  /** Returns the list item or the table row that contains the text. */
  row(text: string | RegExp): Locator;
  /** Clicks a link in the navigation and waits until the page has loaded everything. */
  follow(name: string): Promise<void>;
}

interface Habits {
  /** Selects a passkey in autofill as soon as a page offers one. Otherwise, the browser has no passkeys in autofill. */
  usesAutofill?: boolean;
}

export async function createPerson(
  stage: Stage,
  username: string,
  { usesAutofill = false }: Habits = {},
): Promise<Person> {
  const context = await stage.newContext();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: stage.origin });
  const page = await stage.open(context);
  // The virtual authenticator selects a passkey in autofill automatically.
  if (!usesAutofill)
    await page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false');
  const cdp = await webAuthnOf(page);
  return {
    username,
    page,
    cdp,
    device: await addAuthenticator(cdp, 'internal'),
    goTo: async (pathOrLink) => {
      await page.goto(new URL(pathOrLink, stage.origin).href);
      await settled(page);
    },
    reload: async () => {
      await page.reload();
      await settled(page);
    },
    heading: (name) => page.getByRole('heading', { name }),
    button: (name) => page.getByRole('button', { name, exact: true }),
    dialog: (name) => page.getByRole('dialog', { name }),
    row: (text) => page.getByRole('listitem').or(page.getByRole('row')).filter({ hasText: text }),
    follow: async (name) => {
      await page.getByRole('banner').getByRole('link', { name, exact: true }).click();
      await settled(page);
    },
  };
}

/**
 * Opens a menu and selects an item.
 *
 * @param within the part of the page that contains the menu button
 * @param menu the name of the menu button
 * @param item the start of the item's name
 */
export async function choose(within: Page | Locator, menu: string | RegExp, item: string): Promise<void> {
  await within.getByRole('button', { name: menu, exact: true }).click();
  await within.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
}

export async function signUp({ page, goTo, heading, button, username }: Person): Promise<void> {
  await goTo('/signup');
  await page.getByLabel('Username').fill(username);
  await button('Create account with a passkey').click();
  await heading(`Hello, ${username}`).waitFor();
  await settled(page);
}
