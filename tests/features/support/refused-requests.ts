import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { TestAgent } from '../../support/agent.ts';
import { newAuthenticator } from '../../support/person.ts';
import type { ServiceOn } from '../../support/service-on.ts';
import type { TestService } from '../../support/test-service.ts';

/** The columns that show which refusals an event represents. */
export interface RefusalRow {
  id: string;
  event: string;
  outcome: string;
  actor_type: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  target_name: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
  details: { reason: string; firstAt?: string; lastAt?: string };
  /** Null: the event represents one refusal. */
  count: number | null;
}

/** All refusals in the audit log, oldest first. */
export const refusalRows = ({ database }: Pick<TestService, 'database'>) =>
  database.sql<RefusalRow[]>`
    select * from latchkey.audit_events where outcome = 'failure' order by at, id`;

/** The number of refusals that the events represent. */
export const totalOf = (rows: readonly { count: number | null }[]): number =>
  rows.reduce((sum, { count }) => sum + (count ?? 1), 0);

const connections = 10;
/** How many requests a connection sends at once (HTTP pipelining). This is several times faster than one by one. */
const batch = 20;

/**
 * Sends `count` requests to finish a sign-in, each with a challenge that the service did not create. Expects that all
 * of them are refused.
 *
 * @param addressOf the client's IP address in each request; only for a service behind one proxy
 */
export async function sendRefusedSignIns(
  { url }: Pick<ServiceOn, 'url'>,
  count: number,
  addressOf = (_index: number): string => '',
): Promise<void> {
  const body = JSON.stringify({ credential: await unknownCredential() });
  const requestFrom = (address: string) =>
    [
      'POST /auth/passkey/login/verify HTTP/1.1',
      'Host: localhost',
      'User-Agent: flood',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      ...(address && [`X-Forwarded-For: ${address}`]),
      '',
      body,
    ].join('\r\n');
  const requests = Array.from({ length: count }, (_, index) => requestFrom(addressOf(index)));
  const lanes = Array.from({ length: Math.min(connections, count) }, (_, lane) =>
    requests.filter((_, index) => index % connections === lane),
  );
  await Promise.all(lanes.map((lane) => sendInBatches(url, lane)));
}

/** Sends the requests on one connection, several at once. @throws if a response is not a refused sign-in (401) */
async function sendInBatches(url: string, requests: readonly string[]): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let answered = 0;
  const sendNext = () => socket.write(requests.slice(answered, answered + batch).join(''));
  sendNext();
  for await (const line of createInterface(socket)) {
    const [, status] = /HTTP\/1\.1 (\d+)/.exec(line) ?? [];
    if (status === undefined) continue;
    if (status !== '401') throw new Error(`expected 401, got ${status}`);
    answered += 1;
    if (answered === requests.length) break;
    if (answered % batch === 0) sendNext();
  }
  socket.destroy();
  if (answered < requests.length) throw new Error(`${answered} of ${requests.length} requests were answered`);
}

/** A passkey's response to a challenge that no service created. */
async function unknownCredential() {
  const authenticator = newAuthenticator();
  const challenge = 'AAAA';
  await authenticator.create({
    challenge,
    rp: { id: 'localhost', name: 'Test' },
    user: { id: 'AAAA', name: 'nobody', displayName: 'nobody' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  });
  return authenticator.get({ challenge, rpId: 'localhost', userVerification: 'required' });
}

/** The address number `index` of a network that has 16 million addresses. */
export const addressNumber = (index: number): string =>
  `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;

/** A browser behind a proxy, with this IP address. */
export const from = (browser: TestAgent, address: string): TestAgent => ({
  ...browser,
  post: (path, body, headers) => browser.post(path, body, { ...headers, 'X-Forwarded-For': address }),
});
