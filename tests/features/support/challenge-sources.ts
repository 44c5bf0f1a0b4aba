import type { Answer, TestAgent } from '../../support/agent.ts';
import { newUsername } from '../../support/person.ts';

/** For each ceremony, the request that returns a challenge to a signed-in browser. */
const sources = {
  'a sign-up': (browser) => browser.post('/auth/passkey/register/start', { username: newUsername() }),
  'a sign-in': (browser) => browser.post('/auth/passkey/login/start', {}),
  'a step-up': (browser) => browser.post('/auth/passkey/stepup/start', {}),
  'adding a passkey': (browser) => browser.post('/auth/passkey/devices/add', {}),
} satisfies Record<string, (browser: TestAgent) => Promise<Answer>>;

/** All ceremonies except `ceremony`. */
export const challengesOtherThanOf = (ceremony: keyof typeof sources) =>
  Object.entries(sources).filter(([name]) => name !== ceremony);
