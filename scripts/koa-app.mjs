// `npm run koa-app` works on a fresh clone. It installs, builds, and runs examples/koa-app in this process, so that the
// app receives signals.
import { fileURLToPath } from 'node:url';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

if (!process.features.typescript) {
  console.error(
    `examples/koa-app needs Node 22.18 or later, which runs TypeScript. This is Node ${process.versions.node}.`,
  );
  process.exit(1);
}
process.chdir(fileURLToPath(new URL('..', import.meta.url)));
installIfNeeded();
buildIfStale();
await import('../examples/koa-app/server.ts');
