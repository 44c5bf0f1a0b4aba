import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type AuthService, createAuthService } from 'latchkey';
import type { Browser, Page } from 'playwright-core';
import { createServer as createViteServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApi } from '../../examples/vite/api.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { addAuthenticator, findChromium, launchChromium, webAuthnOf } from './support/chromium.ts';
import { story } from './support/story.ts';
import { watchPage } from './support/watched-pages.ts';

const path = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));

/** The example, with free ports and a database of its own. */
interface Example {
  page: Page;
  /** What the browser has written to its console. */
  console: string[];
  api: string;
  close(): Promise<void>;
}

async function startExample(): Promise<Example> {
  let handle: RequestListener = (_, response) => response.writeHead(503).end();
  const server: Server = createHttpServer((...exchange) => handle(...exchange));
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const api = `http://localhost:${portOf(server)}`;
  const vite = await startVite(api);
  const database = await createTestDatabase();
  const auth = await createAuthService({
    env: {},
    database: database.url,
    secret: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY',
    origins: originOf(vite),
  });
  handle = createApi(auth).callback();
  const browser = await launchChromium(findChromium() ?? '');
  const page = await (await browser.newContext()).newPage();
  watchPage(page);
  const written: string[] = [];
  page.on('console', (line) => {
    if (line.type() === 'error' || line.type() === 'warning') written.push(line.text());
  });
  await addAuthenticator(await webAuthnOf(page), 'internal');
  await page.goto(originOf(vite));
  return { page, console: written, api, close: () => closeAll({ browser, vite, server, auth, database }) };
}

/** Starts Vite with the example's configuration, but on a free port and with the client of this repository. */
async function startVite(api: string): Promise<ViteDevServer> {
  const vite = await createViteServer({
    configFile: path('examples/vite/vite.config.ts'),
    logLevel: 'error',
    cacheDir: path('node_modules/.cache/vite-example'),
    define: { 'import.meta.env.VITE_API_ORIGIN': JSON.stringify(api) },
    resolve: { alias: { 'latchkey/client': path('src/client/index.ts') } },
    // Not 0, because the page would connect to port 0 for updates.
    server: { host: 'localhost', port: await freePort(), strictPort: false },
  });
  await vite.listen();
  return vite;
}

async function freePort(): Promise<number> {
  const server = createHttpServer().listen(0, 'localhost');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

const portOf = (server: Pick<Server, 'address'> | null): number => {
  const address = server?.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server is not listening');
  return address.port;
};

const originOf = ({ httpServer }: ViteDevServer): string =>
  `http://localhost:${portOf(httpServer as Server | null)}`;

async function closeAll(given: {
  browser: Browser;
  vite: ViteDevServer;
  server: Server;
  auth: AuthService;
  database: TestDatabase;
}): Promise<void> {
  await given.browser.close();
  await given.vite.close();
  given.server.closeAllConnections();
  await new Promise((done) => given.server.close(done));
  await given.auth.close();
  await given.database.drop();
}

story('a page that Vite serves on another port', () => {
  let example: Example;
  beforeAll(async () => {
    example = await startExample();
  });
  afterAll(() => example?.close());

  const button = (name: string) => example.page.getByRole('button', { name });
  const greeting = () => example.page.getByText('Hello, ada');

  test('loads without an error in the console, although no user is signed in', async () => {
    await button('Create account').waitFor();
    expect(example.console).toEqual([]);
    expect(new URL(example.page.url()).origin).not.toBe(example.api);
  });

  test('signs up and calls a guarded route of the application', async () => {
    await example.page.getByLabel('Username').fill('ada');
    await button('Create account').click();
    await greeting().waitFor();
  });

  test('is still signed in after a reload', async () => {
    await example.page.reload();
    await greeting().waitFor();
  });

  test('signs out', async () => {
    await button('Sign out').click();
    await button('Sign in').waitFor();
    expect(await greeting().isVisible()).toBe(false);
  });

  test('signs in again', async () => {
    await example.page.getByLabel('Username').fill('ada');
    await button('Sign in').click();
    await greeting().waitFor();
    expect(example.console).toEqual([]);
  });

  test('shows the next step of an error', async () => {
    await button('Sign out').click();
    await example.page.getByLabel('Username').fill('ada');
    await button('Create account').click();
    await example.page.getByText('This username is taken. Choose another username.').waitFor();
  });

  test('cannot read responses from an origin that the service does not list', async () => {
    const url = new URL(example.page.url());
    // 127.0.0.1 and localhost are different sites.
    url.hostname = '127.0.0.1';
    const read = await example.page.evaluate(
      `fetch(${JSON.stringify(`${example.api}/auth/session?optional`)}, { credentials: 'include' })
        .then((response) => response.json())`,
    );
    expect(read).toEqual({ user: null });
    const other = await example.page.context().newPage();
    await other.route(`${url.origin}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '' }));
    await other.goto(url.origin);
    const refused = await other.evaluate(
      `fetch(${JSON.stringify(`${example.api}/auth/session?optional`)}, { credentials: 'include' })
        .then((response) => response.json(), (error) => String(error))`,
    );
    expect(refused).toBe('TypeError: Failed to fetch');
  });
});
