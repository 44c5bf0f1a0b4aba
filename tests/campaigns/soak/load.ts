import { setTimeout as sleep } from 'node:timers/promises';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import type { Load } from '../failover/load.ts';
import type { Random } from '../failover/random.ts';
import type { TwoServices } from '../failover/service.ts';
import type { StepRecord } from '../failover/step-record.ts';
import { ask, logIn, newAuthenticator, signUp } from '../failover/visits.ts';

const clients = 4;
const usersPerClient = 6;
const longestPauseMs = 300;

/** Creates all users, and then starts the clients. Later, only a leak makes memory or tables grow. */
export async function startSoakLoad(
  services: TwoServices,
  superadmin: SoftwareAuthenticator,
  record: StepRecord,
  random: Random,
): Promise<Load> {
  const current = () => record;
  const anyBrowser = (cookies?: ReadonlyMap<string, string>) => random.pick(services).browser(cookies);
  let stopped = false;

  async function createUser(name: string) {
    const authenticator = newAuthenticator();
    const opened = await signUp(current, anyBrowser(), authenticator, name);
    if (!opened) throw new Error(`the sign-up of ${name} failed`);
    return { authenticator, userId: opened.userId };
  }

  /** Signs in, ends all earlier sessions, sends requests to both processes, and signs out. */
  async function visit({ authenticator }: Awaited<ReturnType<typeof createUser>>): Promise<void> {
    const browser = anyBrowser();
    if (!(await logIn(current, browser, authenticator))) return;
    // A sign-out can fail during a fault. Its session ends here.
    await ask(current, [200], () => browser.delete('/auth/sessions'));
    for (const path of ['/cached', '/uncached', '/auth/sessions', '/auth/passkey/devices'])
      await ask(current, [200], () => anyBrowser(browser.cookies).get(path));
    const address = { 'X-Forwarded-For': `198.18.${random.below(256)}.${random.below(256)}` };
    await ask(current, [201], () => browser.post('/auth/recovery/codes/generate', undefined, address));
    await ask(current, [401], () =>
      browser.post('/auth/recovery/codes/use', { username: 'nobody', code: 'AAAA-AAAA' }, address),
    );
    await ask(current, [204], () => browser.delete('/auth/session'));
    // During a fault, the other process can still have the session in its cache.
    await ask(current, [200, 401], () => anyBrowser(browser.cookies).get('/cached'));
  }

  async function changeRoles(userIds: readonly string[]): Promise<void> {
    const browser = anyBrowser();
    if (!(await logIn(current, browser, superadmin))) return;
    for (const userId of userIds) {
      const role = random.pick(['user', 'admin']);
      await ask(current, [200], () => browser.put(`/auth/admin/users/${userId}/role`, { role }));
    }
    await ask(current, [200], () => browser.delete('/auth/sessions'));
    await ask(current, [204], () => browser.delete('/auth/session'));
  }

  const users: Awaited<ReturnType<typeof createUser>>[][] = [];
  for (let client = 0; client < clients; client += 1) {
    const own = [];
    for (let index = 0; index < usersPerClient; index += 1)
      own.push(await createUser(`soak-${client}-${index}`));
    users.push(own);
  }
  const watched = users.flat().map(({ userId }) => userId);
  const repeat = async (work: () => Promise<void>) => {
    while (!stopped) {
      await work();
      await sleep(random.below(longestPauseMs));
    }
  };
  const running = Promise.all([
    // No two clients use the same user, because each visit ends the user's other sessions.
    ...users.map((own) => repeat(() => visit(random.pick(own as [(typeof own)[number]])))),
    repeat(() => changeRoles(watched.slice(0, 4))),
  ]);
  return {
    async stop() {
      stopped = true;
      await running;
    },
  };
}
