import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));

test('the browser client and its dependencies are smaller than 12 kB after compression with gzip', async () => {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  const [bundle] = outputFiles;
  // The bundle contains the WebAuthn calls of the dependency, and no imports.
  expect(bundle?.text).not.toMatch(/\b(import|from)\s*["'(]/);
  expect(bundle?.text).toContain('navigator.credentials.create');
  expect(gzipSync(bundle?.contents ?? '', { level: 9 }).length).toBeLessThan(12_000);
});
