import { rpId } from '../../throughput/identity.ts';
import { type Profile, password } from './profile.ts';

// Better Auth cannot add a password to an account that was created with a passkey, so each password has its own
// account.
const addressOf = (username: string) => `password-${username}@${rpId}`;

export const betterAuth: Profile = {
  shows: (username) => `"${username}"`,
  async signUp(browser, authenticator, username) {
    const path = `/api/auth/passkey/generate-register-options?context=${username}`;
    const options = await browser.ask('GET', path, null, 200);
    const response = await authenticator.create(options);
    const body = { response, createSession: true };
    await browser.ask('POST', '/api/auth/passkey/verify-registration', body, 200);
  },
  async logIn(browser, authenticator) {
    const options = await browser.ask('GET', '/api/auth/passkey/generate-authenticate-options', null, 200);
    const response = await authenticator.get(options);
    await browser.ask('POST', '/api/auth/passkey/verify-authentication', { response }, 200);
  },
  async addPassword(browser, username) {
    browser.cookies.clear();
    const body = { email: addressOf(username), name: username, password };
    await browser.ask('POST', '/api/auth/sign-up/email', body, 200);
  },
  async logInWithPassword(browser, username) {
    await browser.ask('POST', '/api/auth/sign-in/email', { email: addressOf(username), password }, 200);
  },
  async refresh(browser) {
    await browser.ask('GET', '/api/auth/get-session', null, 200);
  },
};
