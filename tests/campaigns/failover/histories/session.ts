import { setTimeout as sleep } from 'node:timers/promises';
import { newUsername } from '../load.ts';
import { ask, logIn, newAuthenticator, signUp } from '../visits.ts';
import { anyService, type Stage, untilAnswered } from './stage.ts';

/** How long a session check without a role can accept an ended session if a notification is lost. */
export const cacheMs = 5000;

/** A user ends a session of another browser, while this browser uses the session on both processes. */
export async function endSession(stage: Stage): Promise<void> {
  const { current, histories, random, services } = stage;
  const authenticator = newAuthenticator();
  const owner = anyService(stage).browser();
  if (!(await signUp(current, owner, authenticator, newUsername('owner')))) return;
  const other = anyService(stage).browser();
  const opened = await logIn(current, other, authenticator);
  if (!opened) return;
  const session = { model: 'session', key: opened.sessionId } as const;

  const check = (path: '/cached' | '/uncached', service = anyService(stage)) =>
    histories.record({
      ...session,
      request: 'check',
      // A new browser, because a browser deletes the cookie of a rejected session.
      send: () => ask(current, [200, 401], () => service.browser(other.cookies).get(path)),
      meaning: ({ status }) => (status === 200 ? 'accepted' : 'rejected'),
      staleMs: path === '/cached' ? cacheMs : 0,
    });
  const end = () =>
    histories.record({
      ...session,
      request: 'end',
      send: () =>
        ask(current, [204, 404], () =>
          anyService(stage).browser(owner.cookies).delete(`/auth/sessions/${opened.sessionId}`),
        ),
      meaning: ({ status }) => (status === 204 ? 'ended' : 'not found'),
    });

  const checks = services.map(async (service) => {
    for (const path of ['/cached', '/uncached', '/cached', '/uncached'] as const) await check(path, service);
  });
  await sleep(random.below(30));
  await Promise.all([...checks, untilAnswered(stage, end)]);
  for (const service of services) await untilAnswered(stage, () => check('/uncached', service));
  histories.addRecheck(async () => void (await check(random.pick(['/cached', '/uncached']))));
}
