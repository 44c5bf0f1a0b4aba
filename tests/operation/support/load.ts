import type { Answer, TestAgent } from '../../support/agent.ts';
import { eventually } from '../../support/eventually.ts';
import { logIn, newUsername } from '../../support/person.ts';
import type { TwoServers } from './two-servers.ts';

/** A request that the client sent, and the response status. */
export interface Sent {
  method: string;
  path: string;
  began: number;
  ended: number;
  /** Null if the connection broke before a response. */
  status: number | null;
}

/** An account whose sign-up succeeded. */
export interface Acknowledged {
  username: string;
  /** How often a change of the passkey's label succeeded. */
  labeled: number;
}

/** Users who sign up, read their session, rename their passkey and sign in again, repeatedly until `stop`. */
export interface Load {
  /** All completed requests, in the order of completion. */
  journal: Sent[];
  acknowledged: Acknowledged[];
  /** Waits for this many more completed requests. */
  more(requests: number): Promise<void>;
  /** Stops the users and waits for their current actions. Rejects if a retry failed. */
  stop(): Promise<void>;
}

/** Returns true if the server did not respond, because the connection broke or the proxy returned an error. */
export const isLost = ({ status }: Sent): boolean => status === null || status >= 500;

/** The service behind a proxy or a balancer. */
type BalancedService = Pick<TwoServers, 'throughProxy' | 'browser' | 'authenticator'>;

export function putUnderLoad(service: BalancedService, users: number): Load {
  const journal: Sent[] = [];
  const acknowledged: Acknowledged[] = [];
  let stopped = false;

  const send = journaling(service.throughProxy, journal);
  async function keepGoing(): Promise<void> {
    while (!stopped) {
      const browser = service.browser(send);
      const authenticator = service.authenticator();
      const username = newUsername('load');
      const id = await signUp(browser, authenticator, username);
      const account = { username, labeled: 0 };
      acknowledged.push(account);
      for (let labeled = 1; labeled <= 4 && !stopped; labeled += 1) {
        const path = `/auth/passkey/devices/${id}`;
        await withRetry(200, () => browser.patch(path, { label: `Label ${labeled}` }));
        account.labeled = labeled;
        // No read may be lost, so a read is not retried.
        const { status } = await browser.get('/auth/session');
        if (status !== 200) throw new Error(`GET answered ${status}`);
      }
      await withRetry(200, () => logIn(service.browser(send), authenticator, { username }));
    }
  }

  const working = Promise.all(Array.from({ length: users }, keepGoing));
  let failure: unknown;
  working.catch((error) => {
    failure = error;
    stopped = true;
  });
  return {
    journal,
    acknowledged,
    async more(requests) {
      const enough = journal.length + requests;
      await eventually(() => failure !== undefined || journal.length >= enough);
      if (failure) throw failure;
    },
    async stop() {
      stopped = true;
      await working;
    },
  };
}

/** Signs up with one retry. If the first response is lost, the account may already exist. */
async function signUp(
  browser: TestAgent,
  authenticator: ReturnType<TwoServers['authenticator']>,
  username: string,
): Promise<string> {
  const start = () => browser.post('/auth/passkey/register/start', { username });
  const { options } = (await withRetry(200, start)).body;
  const credential = await authenticator.create(options);
  const verify = () => browser.post('/auth/passkey/register/verify', { credential });
  const answer = await attempt(verify);
  if (answer?.status === 201) return passkeyOf(browser);
  if (answer && answer.status < 500) throw new Error(`a signup answered ${answer.status}`);
  const startedAgain = await withRetry([200, 409], start);
  if (startedAgain.status === 200) {
    const another = await authenticator.create(startedAgain.body.options);
    // A statement may finish shortly after the process that sent it was killed.
    const verifyAnother = () => browser.post('/auth/passkey/register/verify', { credential: another });
    if ((await withRetry([201, 409], verifyAnother)).status === 201) return passkeyOf(browser);
  }
  await withRetry(200, () => logIn(browser, authenticator, { username }));
  return passkeyOf(browser);
}

async function passkeyOf(browser: TestAgent): Promise<string> {
  const { status, body } = await browser.get('/auth/passkey/devices');
  if (status !== 200) throw new Error(`GET answered ${status}`);
  return body.devices[0].id;
}

/** Retries once after a failure. The retry must succeed. */
async function withRetry(expected: number | number[], act: () => Promise<Answer>): Promise<Answer> {
  const first = await attempt(act);
  const answer = first && first.status < 500 ? first : await act();
  if ([expected].flat().includes(answer.status)) return answer;
  throw new Error(`${JSON.stringify(answer.body)} (${answer.status}), tried again: ${answer !== first}`);
}

const attempt = (act: () => Promise<Answer>): Promise<Answer | null> => act().catch(() => null);

function journaling(send: typeof fetch, journal: Sent[]): typeof fetch {
  return async (url, init) => {
    const began = performance.now();
    let status: number | null = null;
    try {
      const response = await send(url, init);
      status = response.status;
      return response;
    } finally {
      const path = new URL(`${url}`).pathname;
      journal.push({ method: init?.method ?? 'GET', path, began, ended: performance.now(), status });
    }
  };
}
