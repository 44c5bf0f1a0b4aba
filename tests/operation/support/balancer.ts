import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../../support/eventually.ts';

/** A load balancer that sends each request to a process whose latest check of `/readyz` returned 200. */
export interface Balancer {
  origin: string;
  /** Starts checking a process. Resolves when the process is ready. */
  add(url: string): Promise<void>;
  /** Stops checking a process that has ended. */
  remove(url: string): void;
  /** The results of all checks of a process, in order. A check without a response is `not ready`. */
  checksOf(url: string): ('ready' | 'not ready')[];
  /** Waits until the process has responded to this many more requests. */
  untilServed(url: string, more: number): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  url: string;
  checks: ('ready' | 'not ready')[];
  isReady: boolean;
  served: number;
  removed: boolean;
}

export async function startBalancer(): Promise<Balancer> {
  const members: Member[] = [];
  let turn = 0;

  /** Checks again as soon as the previous check has ended, so the balancer notices at once when a process stops. */
  async function follow(member: Member): Promise<void> {
    while (!member.removed) {
      const ready = await isReady(member.url);
      if (member.removed) return;
      member.isReady = ready;
      member.checks.push(ready ? 'ready' : 'not ready');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  function forward(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const ready = members.filter(({ isReady }) => isReady);
    turn += 1;
    const member = ready[turn % ready.length];
    if (!member) {
      outgoing.writeHead(502).end('no process is ready');
      return;
    }
    const { method, headers } = incoming;
    // A new connection for each request, because this balancer never repeats a request.
    const forwarded = { ...headers, connection: 'close', 'x-forwarded-for': '127.0.0.1' };
    const sent = request(`${member.url}${incoming.url}`, { method, headers: forwarded, agent: false });
    sent.on('response', (answer) => {
      member.served += 1;
      const { connection: _, ...answered } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, answered);
      answer.pipe(outgoing);
    });
    sent.on('error', (error) => outgoing.writeHead(502).end(error.message));
    incoming.pipe(sent);
  }

  const memberOf = (url: string): Member => {
    const member = members.find((each) => each.url === url);
    if (!member) throw new Error(`the balancer does not check ${url}`);
    return member;
  };
  const server = createServer(forward);
  // The balancer never closes an idle connection while a client sends a request on it.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async add(url) {
      const member: Member = { url, checks: [], isReady: false, served: 0, removed: false };
      members.push(member);
      void follow(member);
      await eventually(() => member.isReady);
    },
    remove(url) {
      Object.assign(memberOf(url), { removed: true, isReady: false });
    },
    checksOf: (url) => [...memberOf(url).checks],
    async untilServed(url, more) {
      const member = memberOf(url);
      const enough = member.served + more;
      await eventually(() => member.served >= enough);
    },
    async stop() {
      for (const member of members) member.removed = true;
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isReady = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(`${url}/readyz`, { agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    sent.on('error', () => resolve(false));
    sent.end();
  });
