import { setTimeout as sleep } from 'node:timers/promises';
import { newUsername } from '../load.ts';
import { ask, logIn, newAuthenticator, signUp } from '../visits.ts';
import { anyService, type Stage, untilAnswered } from './stage.ts';

/** A superadmin changes the role of a user on both processes at the same time, while the user sends requests. */
export async function changeRole(stage: Stage): Promise<void> {
  const { current, histories, random, services } = stage;
  const user = anyService(stage).browser();
  const opened = await signUp(current, user, newAuthenticator(), newUsername('role'));
  if (!opened) return;
  const superadmin = anyService(stage).browser();
  if (!(await logIn(current, superadmin, stage.superadmin))) return;
  const key = { model: 'role', key: opened.userId } as const;

  const read = (service = anyService(stage)) =>
    histories.record({
      ...key,
      request: 'read',
      send: () => ask(current, [200], () => service.browser(user.cookies).get('/uncached')),
      meaning: ({ body }) => body.role,
    });
  const set = (role: 'user' | 'admin', service = anyService(stage)) =>
    histories.record({
      ...key,
      request: `set ${role}`,
      send: () =>
        ask(current, [200], () =>
          service.browser(superadmin.cookies).put(`/auth/admin/users/${opened.userId}/role`, { role }),
        ),
      meaning: () => 'done',
    });

  const work = services.map(async (service) => {
    for (let turn = 0; turn < 2; turn += 1) {
      const role = random.pick<'user' | 'admin'>(['user', 'admin']);
      await untilAnswered(stage, () => set(role, service));
      await sleep(random.below(20));
      await untilAnswered(stage, () => read(service));
    }
  });
  await Promise.all([...work, read(), read(), read()]);
  histories.addRecheck(async () => void (await read()));
}
