import { createReadStream } from 'node:fs';
import Koa from 'koa';
import { type AuthService, createAuthRouter } from 'latchkey';

const here = (name: string) => new URL(name, import.meta.url);

const files: Readonly<Record<string, [type: string, file: URL]>> = {
  '/': ['html', here('./index.html')],
  '/page.css': ['css', here('./page.css')],
  '/page.js': ['js', here('./page.js')],
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
  // The router also serves the scripts of the elements and of the client.
  app.use(createAuthRouter(auth).routes());
  app.use((ctx) => {
    const [type, file] = files[ctx.path] ?? [];
    if (type === undefined || file === undefined) return;
    ctx.type = type;
    ctx.body = createReadStream(file);
  });
  return app;
}
