import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';

export interface Connections {
  /**
   * Takes no new connection from now on; those that are open serve what is asked on them meanwhile, and are let go.
   *
   * @param lingerMs for how long an idle one is kept. A proxy may be sending a request on it this very moment: closed
   *   at once, that request were lost, and one that changes something the proxy must not repeat.
   * @param graceMs after how long all are cut off, whatever they are at
   */
  drain(options: { lingerMs: number; graceMs: number }): Promise<void>;
}

/** Keeps account of a server's connections from the first on: also of such as have not finished their handshake. */
export function connectionsOf(server: HttpServer | HttpsServer): Connections {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    async drain({ lingerMs, graceMs }) {
      const cut = setTimeout(() => {
        for (const socket of sockets) socket.destroy();
      }, graceMs);
      const began = performance.now();
      const closeIdle = () => {
        if (performance.now() - began >= lingerMs) server.closeIdleConnections();
      };
      const sweep = setInterval(closeIdle, 50);
      // Not the server's own `close`, which closes what is idle at once.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      closeIdle();
      await closed;
      clearTimeout(cut);
      clearInterval(sweep);
    },
  };
}
