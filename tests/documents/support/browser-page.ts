import type { Server } from 'node:http';
import Koa from 'koa';
import { createAuthRouter } from 'latchkey';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import {
  addAuthenticator,
  findChromium,
  launchChromium,
  webAuthnOf,
} from '../../browser/support/chromium.ts';
import { watchPage } from '../../browser/support/watched-pages.ts';
import { freePort } from '../../support/example-server.ts';
import { type PastedService, startPasted } from './pasted-service.ts';

/** A page of a guide in Chromium, with an authenticator. */
export interface BrowserPage {
  service: PastedService;
  page: Page;
}

/** Whether Chromium is installed. With CI=true, throws if it is not. */
export const hasBrowser = findChromium() !== null;

/**
 * Serves a page next to the service of a guide, and opens the page. The page loads the custom elements and runs `script`,
 * in which URLs replace the names of modules, as on a page without a bundler.
 *
 * @param code The code of `auth.ts`, which exports the service as `auth`.
 */
export async function openInBrowser(code: string, body: string, script = ''): Promise<BrowserPage> {
  const origin = `http://localhost:${await freePort()}`;
  const service = await startPasted({ 'auth.ts': code }, { WEBAUTHN_RP_ORIGIN: origin });
  const app = new Koa();
  app.use(createAuthRouter(service.auth).routes());
  app.use((ctx) => {
    if (ctx.path === '/page.js') {
      ctx.type = 'js';
      ctx.body = script.replaceAll(/'latchkey\/(elements|client)'/g, "'/auth/$1/index.js'");
      return;
    }
    ctx.type = 'html';
    ctx.body = `<!doctype html><html lang="en"><title>Test</title>
      <script type="module" src="/auth/elements/index.js"></script>
      <script type="module" src="/page.js"></script>${body}`;
  });
  const server: Server = app.listen(Number(new URL(origin).port));
  const browser = await launchChromium(findChromium() ?? '');
  onTestFinished(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
    await service.close();
  });
  const page = await browser.newPage();
  watchPage(page);
  await addAuthenticator(await webAuthnOf(page), 'internal');
  await page.goto(origin);
  return { service, page };
}
