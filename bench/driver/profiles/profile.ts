import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Browser } from '../browser.ts';

/** How one contender is used over HTTP; what it cannot do is absent. A session is checked at `/me` everywhere. */
export interface Profile {
  /** What an answer to somebody's check contains. */
  shows(username: string): string;
  /** Ends with a session in the browser's cookies. */
  signUp(browser: Browser, authenticator: SoftwareAuthenticator, username: string): Promise<void>;
  logIn?(browser: Browser, authenticator: SoftwareAuthenticator): Promise<void>;
  /** Of a browser that is signed in: this password will do from now on. */
  addPassword?(browser: Browser, username: string): Promise<void>;
  logInWithPassword?(browser: Browser, username: string): Promise<void>;
  makeRecoveryCodes?(browser: Browser): Promise<string[]>;
  useRecoveryCode?(browser: Browser, username: string, code: string): Promise<void>;
  logOut?(browser: Browser): Promise<void>;
  /** What a session that was opened under another configuration lacks. */
  refresh?(browser: Browser): Promise<void>;
}

export const password = 'a fallback, spelt out';
