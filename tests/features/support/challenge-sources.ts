import type { Answer, TestAgent } from '../../support/agent.ts';
import { newUsername } from '../../support/person.ts';

/** Every ceremony for which a signed-in browser can get a challenge. */
const sources = {
  'a signup': (browser) => browser.post('/auth/passkey/register/start', { username: newUsername() }),
  'a login': (browser) => browser.post('/auth/passkey/login/start', {}),
  'a step-up': (browser) => browser.post('/auth/passkey/stepup/start', {}),
  'adding a passkey': (browser) => browser.post('/auth/passkey/devices/add', {}),
} satisfies Record<string, (browser: TestAgent) => Promise<Answer>>;

/** The ceremonies other than the one under test. */
export const challengesOtherThanOf = (ceremony: keyof typeof sources) =>
  Object.entries(sources).filter(([name]) => name !== ceremony);
