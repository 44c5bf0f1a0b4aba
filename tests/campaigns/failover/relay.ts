import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';

/** Forwards connections to a server on this machine, until the network between them fails. */
export interface Relay {
  readonly port: number;
  /** Delivers nothing in either direction, as if the network dropped all packets. */
  cut(): void;
  /** Delivers nothing on the connections that a certain standby has opened. */
  cutStandby(name: string): void;
  /** Delivers data again, including the data that was sent in the meantime. */
  heal(): void;
}

interface Connection {
  readonly sockets: readonly [Socket, Socket];
  /** The first bytes of the client, which contain the name of a standby. */
  greeting: string;
}

/** Long enough for the request of encryption and the startup message of PostgreSQL. */
const greetingLength = 1000;

/** Starts a relay in this process. It ends with the process. */
export async function startRelay(target: number): Promise<Relay> {
  const connections = new Set<Connection>();
  let isCut: (connection: Connection) => boolean = () => false;

  /** While a socket is not read, the relay also does not notice that the other side has closed the connection. */
  function update(connection: Connection): void {
    for (const socket of connection.sockets) {
      if (isCut(connection)) socket.pause();
      else if (!socket.destroyed) socket.resume();
    }
  }

  function forward(connection: Connection, from: Socket, to: Socket, isClient: boolean): void {
    from.on('data', (data) => {
      if (isClient && connection.greeting.length < greetingLength) {
        connection.greeting += data.toString('latin1');
        // The data that reveals the name still passes. The server's response does not.
        update(connection);
      }
      to.write(data);
    });
    from.on('end', () => to.end());
    from.on('error', () => to.destroy());
    from.on('close', () => connections.delete(connection));
  }

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    const connection: Connection = { sockets: [client, upstream], greeting: '' };
    connections.add(connection);
    forward(connection, client, upstream, true);
    forward(connection, upstream, client, false);
    update(connection);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  function change(next: (connection: Connection) => boolean): void {
    isCut = next;
    for (const connection of connections) update(connection);
  }

  return {
    port: (server.address() as AddressInfo).port,
    cut: () => change(() => true),
    cutStandby: (name) => change(({ greeting }) => greeting.includes(`application_name\0${name}\0`)),
    heal: () => change(() => false),
  };
}
