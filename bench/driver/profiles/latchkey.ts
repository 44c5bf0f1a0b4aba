import { type Profile, password } from './profile.ts';

export const latchkey: Profile = {
  shows: (username) => `"${username}"`,
  async signUp(browser, authenticator, username) {
    const { options } = await browser.ask('POST', '/auth/passkey/register/start', { username }, 200);
    const credential = await authenticator.create(options);
    await browser.ask('POST', '/auth/passkey/register/verify', { credential }, 201);
  },
  async logIn(browser, authenticator) {
    const { options } = await browser.ask('POST', '/auth/passkey/login/start', {}, 200);
    const credential = await authenticator.get(options);
    await browser.ask('POST', '/auth/passkey/login/verify', { credential }, 200);
  },
  async addPassword(browser) {
    await browser.ask('POST', '/auth/password/add', { password }, 201);
  },
  async logInWithPassword(browser, username) {
    await browser.ask('POST', '/auth/password/login', { username, password }, 200);
  },
  async makeRecoveryCodes(browser) {
    return (await browser.ask('POST', '/auth/recovery/codes/generate', {}, 201)).codes;
  },
  async useRecoveryCode(browser, username, code) {
    await browser.ask('POST', '/auth/recovery/codes/use', { username, code }, 200);
  },
  async logOut(browser) {
    await browser.ask('DELETE', '/auth/session', null, 204);
  },
};
