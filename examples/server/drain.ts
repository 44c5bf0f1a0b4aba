import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';

export interface Connections {
  /**
   * Accepts no new connections. Closes each open connection after its current request.
   *
   * @param lingerMs how long idle connections stay open. A proxy may be sending a request on an idle connection.
   *   If the server closed this connection immediately, the request would be lost. A proxy must not retry requests that
   *   change something.
   * @param graceMs the time after which all connections are closed, even if a request is running
   */
  drain(options: { lingerMs: number; graceMs: number }): Promise<void>;
}

/** Tracks a server's connections, including those that have not finished their TLS handshake. */
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
      // The `close` of the HTTP server would close idle connections immediately.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      closeIdle();
      await closed;
      clearTimeout(cut);
      clearInterval(sweep);
    },
  };
}
