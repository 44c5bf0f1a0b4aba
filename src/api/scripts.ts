import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Middleware } from 'koa';

/** The folders of the package with the scripts for browsers. The scripts import each other by relative paths. */
const folders = ['client', 'elements'] as const;
const scriptPath = new RegExp(`^/(?:${folders.join('|')})/[\\w-]+\\.js$`);

interface Script {
  body: Buffer;
  etag: string;
}

/** The scripts by path, such as `/elements/index.js`. All services of a process share them. */
let scripts: ReadonlyMap<string, Script> | undefined;

/**
 * Serves the scripts of the custom elements and of the browser client, so that a page needs no bundler and no file
 * server, and always gets the scripts of the installed version. Serves no other file of the package.
 *
 * The next version can have the same names, so browsers ask each time whether a script has changed. The rate limits do
 * not count these requests, because the scripts are in memory, and a page without its scripts is empty.
 */
export function serveScripts(prefix: string): Middleware {
  return async (ctx, next) => {
    const path = ctx.path.slice(prefix.length);
    if (!scriptPath.test(path) || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    scripts ??= readScripts();
    const script = scripts.get(path);
    if (!script) return next();
    ctx.set('Cache-Control', 'public, no-cache');
    ctx.type = 'text/javascript';
    ctx.etag = script.etag;
    ctx.body = script.body;
    if (ctx.fresh) ctx.status = 304;
  };
}

/** Finds the folders by the name of the package, so that they are also found if the server itself is bundled. */
function readScripts(): ReadonlyMap<string, Script> {
  const { resolve } = createRequire(import.meta.url);
  const found = folders.flatMap((folder) => {
    const path = dirname(resolve(`latchkey/${folder}`));
    const names = readdirSync(path).filter((name) => name.endsWith('.js'));
    return names.map((name): [string, Script] => {
      const body = readFileSync(join(path, name));
      return [`/${folder}/${name}`, { body, etag: createHash('sha256').update(body).digest('base64url') }];
    });
  });
  return new Map(found);
}
