import type { Profile } from './profile.ts';

/** Does not sign up users. A cookie contains the id of a row that the benchmark has inserted. */
export const koa: Profile = {
  // Koa alone sends the same bytes to every user.
  shows: () => '"username"',
  async signUp(browser, _authenticator, username) {
    browser.cookies.set('person', personIdOf(username));
  },
};

const personIdOf = (username: string): string =>
  `00000000-0000-4000-8000-${username.replace(/\D/g, '').padStart(12, '0')}`;
