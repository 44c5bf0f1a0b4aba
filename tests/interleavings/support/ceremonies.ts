import type { TestAgent } from '../../support/agent.ts';
import { newAuthenticator } from '../../support/person.ts';
import { type Actor, send, type World } from './world.ts';

/** A started ceremony, and its signed credential. Every schedule sends the same credential. */
export interface Ceremony {
  browser: TestAgent;
  credential: unknown;
}

/** The WebAuthn ceremonies of the operations, signed once. Undoing a schedule also makes its challenge usable again. */
export interface Ceremonies {
  signUp: Ceremony;
  signUpInvited: Ceremony;
  usrSignsIn: Ceremony;
  usrStepsUp: Ceremony;
  usrAddsPasskey: Ceremony;
  kimCompletes: Ceremony;
  samSignsIn: Ceremony;
}

export async function prepareCeremonies({ service, actors, browsers, tokens }: World): Promise<Ceremonies> {
  const create = async (browser: TestAgent, path: string, body: object = {}): Promise<Ceremony> => {
    const { options } = await send(browser, path, body);
    return { browser, credential: await newAuthenticator().create(options) };
  };
  const get = async ({ authenticator }: Actor, browser: TestAgent, path: string): Promise<Ceremony> => {
    const { options } = await send(browser, path, {});
    return { browser, credential: await authenticator.get(options) };
  };
  const register = '/auth/passkey/register/start';
  const { usr, sam } = actors;
  return {
    signUp: await create(service.browser(), register, { username: 'joe' }),
    signUpInvited: await create(service.browser(), register, { username: 'joy', invitation: tokens.user }),
    usrSignsIn: await get(usr, service.browser(), '/auth/passkey/login/start'),
    usrStepsUp: await get(usr, usr.browser.copy(), '/auth/passkey/stepup/start'),
    usrAddsPasskey: await create(usr.browser.copy(), '/auth/passkey/devices/add'),
    kimCompletes: await create(browsers.kimRecovering.copy(), '/auth/passkey/devices/add'),
    samSignsIn: await get(sam, service.browser(), '/auth/passkey/login/start'),
  };
}
