import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any property, and a missing one fails their expectations
  event: any;
}

export interface Receiver {
  url: string;
  port: number;
  /** All requests, in order. */
  received: Received[];
  /** The number of requests that are under way now, and the largest number so far. */
  underWay: { now: number; most: number };
  /** Changes how the receiver answers. Default: the status 204. */
  answer(how: (response: ServerResponse, received: Received) => unknown): void;
  close(): Promise<void>;
}

const accept = (response: ServerResponse) => response.writeHead(204).end();

export async function startReceiver(port = 0): Promise<Receiver> {
  let answer: (response: ServerResponse, received: Received) => unknown = accept;
  const received: Received[] = [];
  const underWay = { now: 0, most: 0 };
  const server = createServer(async (request, response) => {
    underWay.now += 1;
    underWay.most = Math.max(underWay.most, underWay.now);
    response.once('close', () => {
      underWay.now -= 1;
    });
    let body = '';
    for await (const part of request) body += part;
    const one = { headers: request.headers, body, event: JSON.parse(body) };
    received.push(one);
    await answer(response, one);
  });
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done));
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${chosen}/hooks`,
    port: chosen,
    received,
    underWay,
    answer: (how) => {
      answer = how;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Options for a service that sends webhooks, also to receivers on this machine. */
export const localWebhooks = {
  webhooks: { allowedNetworks: ['127.0.0.1'] },
  webhookSender: true,
} as const;

/** Returns whether the request has the signature that the package `standardwebhooks` calculates. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const id = `${headers['webhook-id']}`;
  const seconds = Number(headers['webhook-timestamp']);
  const expected = new Verifier(secret).sign(id, new Date(seconds * 1000), body);
  return `${headers['webhook-signature']}`.split(' ').includes(expected);
}
