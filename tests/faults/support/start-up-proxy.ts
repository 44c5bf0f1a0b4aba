import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A planned failure. After `after` chunks of data, the connection breaks (`reset`, `end`) or stalls (`silence`). */
export interface Failure {
  after: number;
  how: 'reset' | 'end' | 'silence';
}

/** A TCP proxy in front of PostgreSQL. `decide` plans whether and when each new connection fails. */
export interface StartUpProxy {
  url: string;
  /** The number of connections that failed. */
  failed: number;
  /** The highest number of chunks that one connection passed on. */
  passed: number;
  /** The number of failed connections that are still open. */
  open(): number;
  /** Returns the failure of a new connection, or null for a connection without a failure. */
  decide: (connection: number) => Failure | null;
  breakAll(): void;
  close(): Promise<void>;
}

export async function startStartUpProxy(databaseUrl: string): Promise<StartUpProxy> {
  const target = new URL(databaseUrl);
  const connections = new Set<Socket>();
  const failing = new Set<Socket>();
  let opened = 0;

  function relay(client: Socket): void {
    const server = connect(Number(target.port), target.hostname);
    const failure = proxy.decide(opened++);
    let chunks = 0;
    let silent = false;
    const drop = () => {
      client.destroy();
      server.destroy();
    };
    connections.add(client);
    client.on('close', () => {
      connections.delete(client);
      failing.delete(client);
    });
    for (const socket of [client, server]) socket.on('error', drop).on('close', drop);

    function fail({ how }: Failure): void {
      proxy.failed += 1;
      failing.add(client);
      if (how === 'silence') silent = true;
      else if (how === 'reset') client.resetAndDestroy();
      else client.end();
    }
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (chunk) => {
        if (silent || failing.has(client)) return;
        if (failure?.after === chunks) fail(failure);
        else to.write(chunk);
        chunks += 1;
        proxy.passed = Math.max(proxy.passed, chunks);
      });
    pass(client, server);
    pass(server, client);
  }

  const listener = createServer(relay).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const proxy: StartUpProxy = {
    url: url.href,
    failed: 0,
    passed: 0,
    open: () => failing.size,
    decide: () => null,
    breakAll: () => {
      for (const socket of connections) socket.resetAndDestroy();
    },
    close: async () => {
      listener.close();
      for (const socket of connections) socket.destroy();
    },
  };
  return proxy;
}
