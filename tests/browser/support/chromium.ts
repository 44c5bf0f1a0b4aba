import { existsSync } from 'node:fs';
import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The installed Chromium, or null. With CI=true there has to be one. */
export function findChromium(): string | null {
  const found = process.env.CHROMIUM ?? candidates.find(existsSync);
  if (found) return found;
  if (process.env.CI === 'true') throw new Error('CI needs Chromium: apt-get install chromium');
  process.stdout.write(
    'skipped: the browser tests, because no Chromium is installed (apt-get install chromium)\n',
  );
  return null;
}

export const launchChromium = (executablePath: string, flags: string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath,
    // Nothing of a browser's own business: no updates, no synchronization, no look-ups.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // A profile's pages go on in one process, and what it has compiled is kept, as they go from one to the next.
      '--renderer-process-limit=1',
      ...flags,
    ],
  });

export interface VirtualAuthenticator {
  id: string;
  /** Whether it answers; one that does not is in another room. */
  setPresent(present: boolean): Promise<void>;
  /** Whether it recognises its owner: by a fingerprint, a face, a PIN. */
  setUserVerified(verified: boolean): Promise<void>;
  /** Takes it away for good, with every passkey on it. */
  lose(): Promise<void>;
  credentials(): Promise<{ credentialId: string; isResidentCredential: boolean; signCount: number }[]>;
}

/** A platform authenticator or a security key, in Chromium's own WebAuthn implementation. */
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
  };
}

/** Opens the WebAuthn domain of a page, before its first ceremony. */
export async function webAuthnOf(page: Page): Promise<CDPSession> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  return cdp;
}
