import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What becomes of a connection: after so many pieces of data, in either direction, it breaks or falls silent. */
export interface Fate {
  after: number;
  how: 'reset' | 'end' | 'silence';
}

/** A TCP proxy before a PostgreSQL that decides the fate of every connection when it is opened. */
export interface StartUpProxy {
  url: string;
  /** Connections that met their fate. */
  met: number;
  /** Those of them that are still open. */
  open(): number;
  /** From now on: null lets connections pass. */
  decide: (connection: number) => Fate | null;
  breakAll(): void;
  close(): Promise<void>;
}

export async function startStartUpProxy(databaseUrl: string): Promise<StartUpProxy> {
  const target = new URL(databaseUrl);
  const connections = new Set<Socket>();
  const doomed = new Set<Socket>();
  let opened = 0;

  function relay(client: Socket): void {
    const server = connect(Number(target.port), target.hostname);
    const fate = proxy.decide(opened++);
    let pieces = 0;
    let silent = false;
    const drop = () => {
      client.destroy();
      server.destroy();
    };
    connections.add(client);
    client.on('close', () => {
      connections.delete(client);
      doomed.delete(client);
    });
    for (const socket of [client, server]) socket.on('error', drop).on('close', drop);

    function meet({ how }: Fate): void {
      proxy.met += 1;
      doomed.add(client);
      if (how === 'silence') silent = true;
      else if (how === 'reset') client.resetAndDestroy();
      else client.end();
    }
    const pass = (from: Socket, to: Socket) =>
      from.on('data', (piece) => {
        if (silent || doomed.has(client)) return;
        if (fate?.after === pieces) meet(fate);
        else to.write(piece);
        pieces += 1;
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
    met: 0,
    open: () => doomed.size,
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
