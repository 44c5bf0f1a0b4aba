import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import Koa from 'koa';
import { type AuthService, createAuthRouter } from 'latchkey';

const { resolve } = createRequire(import.meta.url);
const here = (name: string) => new URL(name, import.meta.url);

/** The files of the page, by path. The scripts of the package import each other, so their folders stay as they are. */
const files: Readonly<Record<string, [type: string, file: string | URL]>> = {
  '/': ['html', here('./index.html')],
  '/page.css': ['css', here('./page.css')],
  '/page.js': ['js', here('./page.js')],
  '/latchkey/elements/index.js': ['js', resolve('latchkey/elements')],
  '/latchkey/elements/de.js': ['js', resolve('latchkey/elements/de')],
  '/latchkey/client/index.js': ['js', resolve('latchkey/client')],
};

export function createApp(auth: AuthService): Koa {
  const app = new Koa();
  app.use(async (ctx, next) => {
    // The elements need no inline script, no inline style and no eval.
    ctx.set(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; require-trusted-types-for 'script'",
    );
    await next();
  });
  app.use(createAuthRouter(auth).routes());
  app.use((ctx) => {
    const [type, file] = files[ctx.path] ?? [];
    if (type === undefined || file === undefined) return;
    ctx.type = type;
    ctx.body = createReadStream(file);
  });
  return app;
}
