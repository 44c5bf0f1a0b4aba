import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Browser } from '../browser.ts';

/**
 * How the driver uses a contender (one of the compared servers). A contender may not support every operation. Every
 * contender checks sessions at `/me`.
 */
export interface Profile {
  /** A text in the response to the user's session check. */
  shows(username: string): string;
  /** Signs up. The browser's cookies then contain the session. */
  signUp(browser: Browser, authenticator: SoftwareAuthenticator, username: string): Promise<void>;
  logIn?(browser: Browser, authenticator: SoftwareAuthenticator): Promise<void>;
  /** Adds a password for the signed-in user. */
  addPassword?(browser: Browser, username: string): Promise<void>;
  logInWithPassword?(browser: Browser, username: string): Promise<void>;
  makeRecoveryCodes?(browser: Browser): Promise<string[]>;
  useRecoveryCode?(browser: Browser, username: string, code: string): Promise<void>;
  logOut?(browser: Browser): Promise<void>;
  /** Prepares the session for this configuration. */
  refresh?(browser: Browser): Promise<void>;
}

export const password = 'a fallback, spelled out';
