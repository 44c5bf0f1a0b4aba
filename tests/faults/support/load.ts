import type { Answer } from '../../support/agent.ts';
import { logIn, newAuthenticator, newUsername, type Person, signUp } from '../../support/person.ts';
import type { ServingProcess } from './serving-process.ts';

/** Many concurrent clients that send requests until `stop`. */
export interface Load {
  /** The number of responses by status. The status 0 stands for a request without a response. */
  answers: Map<number, number>;
  /** Describes responses that are neither a success nor a 503, and requests without a response. */
  wrong: string[];
  stop(): Promise<void>;
}

const clients = 16;

/** Signs up the user whose session and passkey the load uses. */
export const visitor = (serving: ServingProcess): Promise<Person> =>
  signUp(serving, { authenticator: newAuthenticator() });

/** Repeatedly lists sessions and passkeys, checks usernames and signs in. */
export function startLoad(serving: ServingProcess, { browser, authenticator }: Person): Load {
  const answers = new Map<number, number>();
  const wrong: string[] = [];
  let stopped = false;
  const requests: readonly (() => Promise<Answer>)[] = [
    () => browser.get('/auth/sessions'),
    () => browser.get('/auth/passkey/devices'),
    () => browser.get('/auth/sessions'),
    () => browser.get(`/auth/username/availability?username=${newUsername()}`),
    () => browser.get('/auth/passkey/devices'),
    async () => {
      const visit = serving.browser();
      const started = await visit.post('/auth/passkey/login/start', {});
      if (started.status !== 200) return started;
      const credential = await authenticator.get(started.body.options);
      return visit.post('/auth/passkey/login/verify', { credential });
    },
  ];

  async function send(request: () => Promise<Answer>): Promise<void> {
    try {
      const { status, body } = await request();
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (status !== 200 && status !== 503) wrong.push(`${status} ${JSON.stringify(body)}`);
    } catch (error) {
      answers.set(0, (answers.get(0) ?? 0) + 1);
      wrong.push(`no answer: ${error}`);
    }
  }
  async function run(client: number): Promise<void> {
    for (let turn = client; !stopped && serving.exitReport() === null; turn += 1) {
      const request = requests[turn % requests.length];
      if (request) await send(request);
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  return {
    answers,
    wrong,
    async stop() {
      stopped = true;
      await running;
    },
  };
}

/** Returns whether a sign-in and a read from the database succeed. */
export async function serves(serving: ServingProcess, { authenticator }: Person): Promise<boolean> {
  const browser = serving.browser();
  if ((await logIn(browser, authenticator)).status !== 200) return false;
  return (await browser.get('/auth/sessions')).status === 200;
}
