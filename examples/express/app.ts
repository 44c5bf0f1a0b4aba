import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { type AuthService, sendProblem, toNodeHandler } from 'latchkey';

const page = readFileSync(new URL('./page.html', import.meta.url), 'utf8');
/** The browser client. An application with a bundler imports `latchkey/client` in its own scripts. */
const client = readFileSync(createRequire(import.meta.url).resolve('latchkey/client'), 'utf8');

/** Turns an `AuthError` into the response of the router. Leaves all other errors to Express. */
const showProblem: ErrorRequestHandler = (error, _request, response, next) => {
  if (!sendProblem(error, response)) next(error);
};

export function createApp(auth: AuthService): Express {
  const app = express();
  app.use(toNodeHandler(auth));
  app.get('/', (_request, response) => void response.type('html').send(page));
  app.get('/client.js', (_request, response) => void response.type('js').send(client));

  app.get('/greeting', async (request, response) => {
    const { user } = await auth.requireAccess(request);
    response.json({ greeting: `Hello ${user.username}` });
  });
  app.get('/figures', async (request, response) => {
    const { user } = await auth.requireAccess(request, { role: 'admin' });
    response.json({ readBy: user.username });
  });
  app.post('/greeting', express.json(), async (request, response) => {
    await auth.requireAccess(request, { fresh: true });
    response.json({ greeting: request.body.greeting });
  });

  app.use(showProblem);
  return app;
}
