import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Browser } from '../browser.ts';

/** How a contender is used over HTTP, without the operations it lacks. Every contender checks sessions at `/me`. */
export interface Profile {
  /** A text that the answer to the user's session check contains. */
  shows(username: string): string;
  /** Leaves a session in the browser's cookies. */
  signUp(browser: Browser, authenticator: SoftwareAuthenticator, username: string): Promise<void>;
  logIn?(browser: Browser, authenticator: SoftwareAuthenticator): Promise<void>;
  /** Adds a password for the signed-in user. */
  addPassword?(browser: Browser, username: string): Promise<void>;
  logInWithPassword?(browser: Browser, username: string): Promise<void>;
  makeRecoveryCodes?(browser: Browser): Promise<string[]>;
  useRecoveryCode?(browser: Browser, username: string, code: string): Promise<void>;
  logOut?(browser: Browser): Promise<void>;
  /** Adds to the session what this configuration needs. */
  refresh?(browser: Browser): Promise<void>;
}

export const password = 'a fallback, spelled out';
