import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { HttpBindings } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { type AuthService, problemResponse, toFetchHandler } from 'latchkey';

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
/** The browser client. An application with a bundler imports `latchkey/client` in its own scripts. */
const client = readFileSync(createRequire(import.meta.url).resolve('latchkey/client'), 'utf8');

export function createApp(auth: AuthService): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  // The rate limits need the address of the connection.
  const handler = toFetchHandler(auth, {
    addressOf: (_request, c: Context) => getConnInfo(c).remote.address,
  });
  app.all('/auth/*', (c) => handler(c.req.raw, c));
  app.all('/.well-known/*', (c) => handler(c.req.raw, c));
  app.get('/', (c) => c.html(page));
  app.get('/client.js', (c) => c.body(client, 200, { 'Content-Type': 'text/javascript' }));

  app.get('/greeting', async (c) => {
    const { user } = await auth.requireAccess(c.req.raw);
    return c.json({ greeting: `Hello ${user.username}` });
  });
  app.get('/figures', async (c) => {
    const { user } = await auth.requireAccess(c.req.raw, { role: 'admin' });
    return c.json({ readBy: user.username });
  });
  app.post('/greeting', async (c) => {
    await auth.requireAccess(c.req.raw, { fresh: true });
    const { greeting } = await c.req.json();
    return c.json({ greeting });
  });

  // Turns an `AuthError` into the response of the router.
  app.onError((error) => problemResponse(error) ?? new Response('Internal Server Error', { status: 500 }));
  return app;
}
