import type { Answer } from '../../../support/agent.ts';
import { newUsername } from '../load.ts';
import type { Service } from '../service.ts';
import { ask, newAuthenticator, signUp } from '../visits.ts';
import { anyService, type Stage, untilAnswered } from './stage.ts';

/** Sends the same response of a passkey to both processes at the same time, and later again. */
export async function replaySignIn(stage: Stage): Promise<void> {
  const authenticator = newAuthenticator();
  const signedUp = await signUp(
    stage.current,
    anyService(stage).browser(),
    authenticator,
    newUsername('replay'),
  );
  if (!signedUp) return;
  const browser = anyService(stage).browser();
  const started = await ask(stage.current, [200], () => browser.post('/auth/passkey/login/start', {}));
  if (!started) return;
  const credential = await authenticator.get(started.body.options);
  await useTwice(stage, `the challenge of ${signedUp.userId}`, (service) =>
    service.browser(browser.cookies).post('/auth/passkey/login/verify', { credential }),
  );
}

/** Uses the same recovery code on both processes at the same time, and later again. */
export async function replayRecoveryCode(stage: Stage): Promise<void> {
  const username = newUsername('code');
  const browser = anyService(stage).browser();
  const signedUp = await signUp(stage.current, browser, newAuthenticator(), username);
  if (!signedUp) return;
  const generated = await ask(stage.current, [201], () =>
    browser.post('/auth/recovery/codes/generate', undefined, newAddress(stage)),
  );
  if (!generated) return;
  const [code] = generated.body.codes;
  await useTwice(stage, `a recovery code of ${signedUp.userId}`, (service) =>
    service.browser().post('/auth/recovery/codes/use', { username, code }, newAddress(stage)),
  );
}

async function useTwice(
  stage: Stage,
  key: string,
  send: (service: Service) => Promise<Answer>,
): Promise<void> {
  const use = (service = anyService(stage)) =>
    stage.histories.record({
      model: 'singleUse',
      key,
      request: 'use',
      send: () => ask(stage.current, [200, 401], () => send(service)),
      meaning: ({ status }) => (status === 200 ? 'opened' : 'rejected'),
    });
  await Promise.all(stage.services.map((service) => use(service)));
  await untilAnswered(stage, use);
  stage.histories.addRecheck(async () => void (await use()));
}

/** A new IP address for each request, because the service limits the use of recovery codes. */
const newAddress = ({ random }: Stage) => ({
  'X-Forwarded-For': `198.19.${random.below(256)}.${random.below(256)}`,
});
