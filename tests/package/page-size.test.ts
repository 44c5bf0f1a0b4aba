import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';

const assets = fileURLToPath(new URL('../../examples/server/dist/web/assets/', import.meta.url));
const read = (name: string) => readFileSync(join(assets, name), 'utf8');

/** Returns a script and the scripts that it imports statically. The browser loads them before it shows the page. */
function staticallyLoaded(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  for (const [, next = ''] of read(name).matchAll(/\b(?:from|import)\s*["']\/assets\/([^"']+)["']/g))
    staticallyLoaded(next, known);
  return known;
}

const gzipped = (name: string) => gzipSync(read(name), { level: 9 }).length;

test('the sign-in page loads at most 60 kB of scripts and styles after compression with gzip', () => {
  const names = [...staticallyLoaded('app.js'), 'before-paint.js', 'app.css'];
  const sizes = names.map((name) => [name, gzipped(name)] as const);
  // The budget of the script and the styles of a page that visitors see first.
  expect(
    sizes.reduce((sum, [, size]) => sum + size, 0),
    JSON.stringify(sizes),
  ).toBeLessThanOrEqual(60_000);
});

test('the sign-in page needs one round trip after its document, because the document names all scripts', () => {
  const html = readFileSync(join(assets, '../index.html'), 'utf8');
  const named = [...html.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name]) => name);
  expect(named.sort()).toEqual([...staticallyLoaded('app.js'), 'before-paint.js', 'app.css'].sort());
});

test('the sign-in page loads no pages for signed-in users and admins', () => {
  const names = staticallyLoaded('app.js');
  const code = [...names].map(read).join('');
  expect(code).toContain('Sign in with a passkey');
  // A part of the client of Latchkey, which is in another script than the pages.
  expect(code).toContain('navigator.credentials.get');
  expect(code).not.toContain('users.filters');
  expect(code).not.toContain('Delete account');
  const later = readdirSync(assets).filter((name) => /^(own|administration)-pages-\w+\.js$/.test(name));
  expect(later).toHaveLength(2);
  expect(later.map(read).join('')).toContain('users.filters');
});

test('another language adds at most 9 kB of messages to the sign-in page', () => {
  const sizes = readdirSync(assets)
    .filter((name) => /^visitor-[a-z]{2}-\w+\.js$/.test(name))
    .map((name) => [name, gzipped(name)] as const);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.filter(([, size]) => size > 9_000)).toEqual([]);
});
