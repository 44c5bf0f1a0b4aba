import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Bundles TypeScript programs into scripts, because Node 20 cannot run TypeScript. Imports of packages stay imports. */
export async function bundle(options) {
  // esbuild is imported here, because on a fresh clone it is missing until the caller has called `installIfNeeded`.
  const { build } = await import('esbuild');
  await build({
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
    ...options,
  });
}

/** Bundles a TypeScript module of this repository and imports it. Its imports of `latchkey` mean the source code. */
export async function importBundled(path) {
  const outfile = resolve(`node_modules/.cache/latchkey-${basename(path, '.ts')}.mjs`);
  await bundle({ entryPoints: [path], outfile, tsconfig: 'tsconfig.json' });
  return import(pathToFileURL(outfile).href);
}
