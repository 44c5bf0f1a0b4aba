import type { SoftwareAuthenticator } from 'latchkey/testing';
import { newUsername } from '../load.ts';
import { ask, newAuthenticator } from '../visits.ts';
import { anyService, type Stage, untilAnswered } from './stage.ts';

/** Two users sign up with the same username at the same time, one on each process. Then both sign in. */
export async function raceForUsername(stage: Stage): Promise<void> {
  const username = newUsername('race');
  const users = [newAuthenticator(), newAuthenticator()] as const;
  /** The users whose sign-up has reached the second request, so that they have a passkey. */
  const holders: (0 | 1)[] = [];

  async function signUp(by: 0 | 1): Promise<string | null> {
    const browser = stage.services[by].browser();
    return stage.histories.record({
      model: 'username',
      key: username,
      request: `sign-up by ${by}`,
      async send() {
        const started = await ask(stage.current, [200, 409], () =>
          browser.post('/auth/passkey/register/start', { username }),
        );
        if (started?.status !== 200) return started;
        const credential = await users[by].create(started.body.options);
        holders.push(by);
        return ask(stage.current, [201, 409], () =>
          browser.post('/auth/passkey/register/verify', { credential }),
        );
      },
      meaning: ({ status }) => (status === 201 ? 'created' : 'taken'),
    });
  }

  async function signIn(by: 0 | 1): Promise<string | null> {
    return stage.histories.record({
      model: 'username',
      key: username,
      request: `sign-in by ${by}`,
      send: () => trySignIn(stage, users[by]),
      meaning: ({ status }) => (status === 200 ? 'signed in' : 'rejected'),
    });
  }

  await Promise.all([signUp(0), signUp(1)]);
  await Promise.all(holders.map((by) => untilAnswered(stage, () => signIn(by))));
  for (const by of holders) stage.histories.addRecheck(async () => void (await signIn(by)));
}

async function trySignIn(stage: Stage, authenticator: SoftwareAuthenticator) {
  const browser = anyService(stage).browser();
  const started = await ask(stage.current, [200], () => browser.post('/auth/passkey/login/start', {}));
  if (!started) return null;
  const credential = await authenticator.get(started.body.options);
  return ask(stage.current, [200, 401], () => browser.post('/auth/passkey/login/verify', { credential }));
}
