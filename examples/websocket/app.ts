import { readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import Koa from 'koa';
import { type AuthService, createAuthRouter, type ReadSession } from 'latchkey';
import { type WebSocket, WebSocketServer } from 'ws';

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
/** The browser client. An application with a bundler imports `latchkey/client` in its own scripts. */
const client = readFileSync(createRequire(import.meta.url).resolve('latchkey/client'), 'utf8');

export function createApp(auth: AuthService): Koa {
  const app = new Koa();
  app.use(createAuthRouter(auth).routes());
  app.use((ctx) => {
    if (ctx.path === '/') [ctx.type, ctx.body] = ['html', page];
    if (ctx.path === '/client.js') [ctx.type, ctx.body] = ['js', client];
  });
  return app;
}

/** Lets signed-in users chat. Each message goes to all open WebSockets. */
export function acceptWebSockets(server: Server, auth: AuthService): WebSocketServer {
  // Without `noServer`, the library would accept handshakes of signed-out users and of other sites.
  const webSockets = new WebSocketServer({ noServer: true, maxPayload: 1000 });
  const broadcast = (text: string) => {
    for (const webSocket of webSockets.clients)
      if (webSocket.readyState === webSocket.OPEN) webSocket.send(text);
  };

  function greet(webSocket: WebSocket, read: ReadSession): void {
    // Without this call, the WebSocket would stay open after a sign-out or an expiry.
    const stop = auth.watchSession(read, (reason) => webSocket.close(4401, reason));
    webSocket.on('close', stop).on('error', () => webSocket.terminate());
    webSocket.on('message', (message) => {
      // A client can still send messages while the WebSocket closes.
      if (webSocket.readyState === webSocket.OPEN) broadcast(`${read.user.username}: ${message}`);
    });
    webSocket.send(`Hello ${read.user.username}`);
  }

  server.on('upgrade', async (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    // `sessionOf` also checks the Origin header, because CORS does not apply to handshakes.
    const read = await auth.sessionOf(request).catch(() => null);
    if (read) webSockets.handleUpgrade(request, socket, head, (webSocket) => greet(webSocket, read));
    else socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
  });
  return webSockets;
}
