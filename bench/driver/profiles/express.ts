import { type Profile, password } from './profile.ts';

export const express: Profile = {
  shows: (username) => `"${username}"`,
  async signUp(browser, authenticator, username) {
    const options = await browser.ask('POST', '/signup/start', { username }, 200);
    await browser.ask('POST', '/signup/verify', await authenticator.create(options), 201);
  },
  async logIn(browser, authenticator) {
    const options = await browser.ask('POST', '/login/start', {}, 200);
    await browser.ask('POST', '/login/verify', await authenticator.get(options), 200);
  },
  async addPassword(browser) {
    await browser.ask('POST', '/password', { password }, 201);
  },
  async logInWithPassword(browser, username) {
    await browser.ask('POST', '/login/password', { username, password }, 200);
  },
};
