import { Agent, request } from 'node:https';

/** Returns a `fetch` that sends requests for a fictional host to a local port, and trusts only one certificate. */
export function fetchOverTls({ host, port, ca }: { host: string; port: number; ca: string }): typeof fetch {
  const agent = new Agent({ keepAlive: true });
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { pathname, search } = new URL(`${input}`);
      const outgoing = request({
        agent,
        ca,
        host: '127.0.0.1',
        port,
        servername: host,
        method: init.method ?? 'GET',
        path: `${pathname}${search}`,
        headers: { Host: host, ...(init.headers as Record<string, string>) },
      });
      outgoing.on('error', reject);
      outgoing.on('response', async (incoming) => {
        try {
          const pieces: Buffer[] = [];
          for await (const piece of incoming) pieces.push(piece);
          const status = incoming.statusCode ?? 0;
          const headers = new Headers();
          for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
            for (const value of values) headers.append(name, value);
          }
          const body = [204, 304].includes(status) ? null : Buffer.concat(pieces);
          resolve(new Response(body, { status, headers }));
        } catch (error) {
          reject(error);
        }
      });
      outgoing.end(init.body ?? undefined);
    });
}
