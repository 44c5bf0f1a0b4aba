import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './install-if-needed.mjs';

/** @public The files and folders that the build reads. deploy-files.test.ts also uses this list. */
export const sources = [
  'src',
  'cli',
  'examples',
  'package.json',
  'package-lock.json',
  'tsup.config.ts',
  'scripts/bundled-licenses.ts',
  'scripts/catalogue.ts',
  'scripts/common-passwords.ts',
  'scripts/first-script.ts',
  'scripts/icons.ts',
  'tsconfig.json',
  'tsconfig.web.json',
];
// Not in dist, because dist is published.
const stamp = 'node_modules/.built-from';
const results = [
  'dist/package/index.js',
  'dist/openapi.json',
  'dist/audit-events.json',
  'dist/client/index.js',
  'dist/elements/index.js',
  'dist/cli/index.js',
  'dist/dev/main.js',
  'examples/server/dist/main.js',
];

/** Builds if the sources have changed since the last build. */
export function buildIfStale() {
  const fingerprint = fingerprintOf(sources);
  const isBuilt = [stamp, ...results].every((file) => existsSync(file));
  if (isBuilt && readFileSync(stamp, 'utf8') === fingerprint) return;
  console.log('Building…');
  run('npm', ['run', '--silent', 'build']);
  writeFileSync(stamp, fingerprint);
}

/** Hashes names and contents. Ignores modification times, because a checkout changes them. */
function fingerprintOf(paths) {
  const hash = createHash('sha256');
  const visit = (path) => {
    if (!existsSync(path)) return;
    if (statSync(path).isDirectory()) {
      if (path.endsWith('dist')) return;
      for (const entry of readdirSync(path).sort()) visit(join(path, entry));
    } else {
      hash.update(`${path}\n`).update(readFileSync(path));
    }
  };
  for (const path of paths) visit(path);
  return hash.digest('hex');
}
