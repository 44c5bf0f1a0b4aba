import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import Koa from 'koa';
import { type AuthService, createAuthRouter } from 'latchkey';

const { resolve } = createRequire(import.meta.url);
const here = (name: string) => new URL(name, import.meta.url);

const files: Readonly<Record<string, [type: string, file: URL]>> = {
  '/': ['html', here('./index.html')],
  '/page.css': ['css', here('./page.css')],
  '/page.js': ['js', here('./page.js')],
};
/** The scripts of the package import each other with relative paths, so the URLs keep the names of the folders. */
const scripts: Readonly<Record<string, string>> = {
  client: dirname(resolve('latchkey/client')),
  elements: dirname(resolve('latchkey/elements')),
};

export function createApp(auth: AuthService): Koa {
  const app = new Koa();
  app.use(async (ctx, next) => {
    // The elements need no inline script, no inline style and no eval.
    ctx.set(
      'content-security-policy',
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    );
    await next();
  });
  app.use(createAuthRouter(auth).routes());
  app.use((ctx) => {
    const [, folder = '', name = ''] = /^\/latchkey\/(client|elements)\/([\w-]+\.js)$/.exec(ctx.path) ?? [];
    const [type, file] = scripts[folder] ? ['js', join(scripts[folder], name)] : (files[ctx.path] ?? []);
    if (type === undefined || file === undefined) return;
    ctx.type = type;
    ctx.body = createReadStream(file);
  });
  return app;
}
