import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const source = (path: string) => fileURLToPath(new URL(`../../src/${path}`, import.meta.url));

/** Returns the minified bundle of a module and the modules that it imports. */
async function bundle(entry: string) {
  const { outputFiles } = await build({
    entryPoints: [source(entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
  });
  const [{ text, contents } = { text: '', contents: '' }] = outputFiles;
  return { text, gzipped: gzipSync(contents, { level: 9 }).length };
}

test('the browser client and its dependencies are smaller than 12 kB after compression with gzip', async () => {
  const { text, gzipped } = await bundle('client/index.ts');
  // The bundle contains the WebAuthn calls of the dependency, and no imports.
  expect(text).not.toMatch(/\b(import|from)\s*["'(]/);
  expect(text).toContain('navigator.credentials.create');
  expect(gzipped).toBeLessThan(12_000);
});

test('the elements are smaller than 14 kB after compression with gzip, without the client', async () => {
  const [client, elements] = await Promise.all([bundle('client/index.ts'), bundle('elements/index.ts')]);
  expect(elements.text).not.toMatch(/\b(import|from)\s*["'(]/);
  expect(elements.text).toContain('latchkey-sign-in');
  expect(elements.gzipped - client.gzipped).toBeLessThan(14_000);
});
