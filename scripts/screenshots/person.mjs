import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { settle } from './settle.mjs';

const candidates = [
  process.env.CHROMIUM,
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
];
const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** Starts Chromium. Each person has a browser profile and a virtual authenticator. */
export async function launch(origin) {
  const executablePath = candidates.find((path) => path && existsSync(path));
  if (!executablePath) throw new Error('Chromium is not installed: apt-get install chromium-headless-shell');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  return {
    newPerson: (username) => createPerson(browser, origin, username),
    close: () => browser.close(),
  };
}

async function createPerson(browser, origin, username) {
  const context = await browser.newContext({
    userAgent,
    locale: 'en-US',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'X-Forwarded-For': '203.0.113.24' },
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  // The virtual authenticator would sign in as soon as a page offers passkeys in autofill. Long timers do
  // not run, so that messages stay on the page.
  await page.addInitScript(`
    PublicKeyCredential.isConditionalMediationAvailable = async () => false;
    const { setTimeout } = window;
    window.setTimeout = (handler, ms, ...given) => (ms >= 6_000 ? 0 : setTimeout(handler, ms, ...given));`);
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: authenticator });
  const person = {
    username,
    page,
    context,
    button: (name) => page.getByRole('button', { name, exact: true }),
    link: (name) => page.getByRole('link', { name, exact: true }),
    dialog: (name) => page.getByRole('dialog', { name }),
    text: (text) => page.getByText(text).first(),
    async goTo(path) {
      await page.goto(new URL(path, origin).href);
      await settle(page);
    },
    async choose(menu, item) {
      await page.getByRole('button', { name: menu }).first().click();
      await page.getByRole('menuitem', { name: new RegExp(`^${item}`) }).click();
    },
    async signUp() {
      await person.goTo('/signup');
      await page.getByLabel('Username').fill(username);
      await person.button('Create account with a passkey').click();
      await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor();
    },
    async createCodes() {
      await person.button('Create recovery codes').click();
      await person.dialog('Save your recovery codes').waitFor();
      await page.getByLabel('I have saved my codes').check();
      await person.button('Done').click();
      await person.dialog('Save your recovery codes').waitFor({ state: 'detached' });
    },
    /** Sets whether the authenticator responds. Without a response, pages show that they wait for the passkey. */
    setPresent: (enabled) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    /** Adds another authenticator, such as a security key. */
    async addAuthenticator(transport) {
      await cdp.send('WebAuthn.addVirtualAuthenticator', {
        options: {
          ...authenticator,
          transport,
          defaultBackupEligibility: transport === 'internal',
          defaultBackupState: transport === 'internal',
        },
      });
    },
  };
  return person;
}

const authenticator = {
  protocol: 'ctap2',
  ctap2Version: 'ctap2_1',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
  defaultBackupEligibility: true,
  defaultBackupState: true,
};
