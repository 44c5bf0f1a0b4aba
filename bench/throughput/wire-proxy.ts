import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A proxy between a server and PostgreSQL. It counts the complete replies of PostgreSQL. */
export interface WireProxy {
  url: string;
  /** The round trips so far. Each ReadyForQuery message counts, except the first one of a connection. */
  roundTrips(): number;
  close(): void;
}

/** The tag of ReadyForQuery. This message ends the reply to a simple query, or to all messages up to a Sync. */
const readyForQuery = 'Z'.charCodeAt(0);

export async function startWireProxy(databaseUrl: string): Promise<WireProxy> {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let total = 0;
  const proxy = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: hostname, port: Number(port), noDelay: true });
    let isGreeted = false;
    const count = messageCounter((tag) => {
      if (tag !== readyForQuery) return;
      if (isGreeted) total += 1;
      isGreeted = true;
    });
    database.on('data', count);
    client.pipe(database).pipe(client);
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = `${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    roundTrips: () => total,
    close: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/**
 * Calls back with the tag of each message. The tag is one byte. The length follows, and includes its own four bytes.
 */
function messageCounter(onMessage: (tag: number) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0);
  let toSkip = 0;
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      const skipped = Math.min(toSkip, held.length);
      toSkip -= skipped;
      held = held.subarray(skipped);
      if (toSkip > 0 || held.length < 5) return;
      onMessage(held.readUInt8(0));
      toSkip = held.readUInt32BE(1) + 1;
    }
  };
}
