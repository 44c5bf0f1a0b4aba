import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const entry = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url));

test('the browser client with its dependencies is smaller than 12 kB gzipped', async () => {
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
  // The bundle has no imports left and contains the WebAuthn calls of the dependency.
  expect(bundle?.text).not.toMatch(/\b(import|from)\s*["'(]/);
  expect(bundle?.text).toContain('navigator.credentials.create');
  expect(gzipSync(bundle?.contents ?? '', { level: 9 }).length).toBeLessThan(12_000);
});
