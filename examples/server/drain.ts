import type { Server as HttpServer } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';

export interface Connections {
  /**
   * Accepts no new connections. Open connections finish their requests and are then closed.
   *
   * @param lingerMs how long an idle connection stays open. A proxy may be sending a request on it: closing it at once
   *   would lose that request, and the proxy must not retry a request that changes something.
   * @param graceMs after how long all connections are closed, even if a request is running
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
      // The HTTP server's own `close` would close idle connections at once.
      const closed = new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
      closeIdle();
      await closed;
      clearTimeout(cut);
      clearInterval(sweep);
    },
  };
}
