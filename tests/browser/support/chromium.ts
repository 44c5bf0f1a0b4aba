import { existsSync } from 'node:fs';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

/** Chromium without a user interface. It shows the same pages and needs less CPU than the complete Chromium. */
const headlessShells = ['/usr/bin/chromium-headless-shell'];
const completeChromiums = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Returns the path of the installed Chromium, or null. With CI=true, throws if Chromium is not installed. */
export const findChromium = (): string | null =>
  find([...headlessShells, ...completeChromiums], 'apt-get install chromium-headless-shell');

/** Returns the path of a Chromium with its user interface, or null. With CI=true, throws if it is not installed. */
export const findCompleteChromium = (): string | null => find(completeChromiums, 'apt-get install chromium');

const reported = new Set<string>();

function find(candidates: string[], installation: string): string | null {
  const found = process.env.CHROMIUM ?? candidates.find(existsSync);
  if (found) return found;
  if (process.env.CI === 'true') throw new Error(`CI needs Chromium. Install it: ${installation}`);
  if (!reported.has(installation))
    process.stdout.write(`Skipping browser tests: Chromium is not installed (${installation}).\n`);
  reported.add(installation);
  return null;
}

export const launchChromium = (executablePath: string, flags: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      // Chromium's sandbox needs rights that containers do not give.
      '--no-sandbox',
      // The machines of CI have no graphics card, and the servers do not use QUIC.
      '--disable-gpu',
      '--disable-quic',
      // Background work of the browser.
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // With one process for all pages of a profile, compiled code stays cached between pages.
      '--renderer-process-limit=1',
      ...flags,
    ],
  });

const shared = new Map<string, Browser>();

/**
 * Returns the Chromium of this worker process with these flags, which all test files of the worker use. Playwright ends
 * it together with the process.
 */
export async function sharedChromium(executablePath: string, flags: string[] = []): Promise<Browser> {
  const key = JSON.stringify([executablePath, flags]);
  const running = shared.get(key);
  if (running?.isConnected()) return running;
  const browser = await launchChromium(executablePath, flags);
  shared.set(key, browser);
  return browser;
}

/** A passkey as Chromium's DevTools protocol describes it, with its private key. */
interface Credential {
  credentialId: string;
  isResidentCredential: boolean;
  privateKey: string;
  signCount: number;
}

export interface VirtualAuthenticator {
  id: string;
  /** Sets whether the authenticator responds. False simulates an authenticator that is not connected. */
  setPresent(present: boolean): Promise<void>;
  /** Sets whether the authenticator can verify the user, as with a fingerprint, a face or a PIN. */
  setUserVerified(verified: boolean): Promise<void>;
  /** Removes the authenticator with all its passkeys. */
  lose(): Promise<void>;
  credentials(): Promise<Credential[]>;
  /** Copies the passkeys of another authenticator, like a password manager that syncs them. */
  receive(other: Pick<VirtualAuthenticator, 'credentials'>): Promise<void>;
}

/** Adds a virtual platform authenticator or security key to Chromium. */
export async function addAuthenticator(
  cdp: CDPSession,
  transport: 'internal' | 'usb',
): Promise<VirtualAuthenticator> {
  const { authenticatorId: id } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: transport === 'internal',
      defaultBackupState: transport === 'internal',
    },
  });
  return {
    id,
    setPresent: async (enabled) => {
      await cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId: id, enabled });
    },
    setUserVerified: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified });
    },
    lose: async () => {
      await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: id });
    },
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials,
    receive: async (other) => {
      for (const credential of await other.credentials())
        await cdp.send('WebAuthn.addCredential', { authenticatorId: id, credential });
    },
  };
}

/** Turns on virtual authenticators for a page. Call this function before the first ceremony. */
export async function webAuthnOf(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  return cdp;
}
