import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import type { AuthService } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latchkeyBrand } from '../../examples/server/brand/setting.ts';
import { loadPages, servePages } from '../../examples/server/pages.ts';
import { send } from '../support/raw-request.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { type ServedApp, serve } from '../support/serve.ts';

const origins = ['https://example.com', 'https://example.org'] as const;
const template =
  '<meta name="latchkey-origins" content=""><meta name="latchkey-password-min-length" content=""><meta name="latchkey-sign-up-mode" content=""><meta name="latchkey-organizations" content=""><meta name="latchkey-admin-invitations" content=""><meta name="latchkey-organization-roles" content="">';
const translated =
  '<html lang="en"><meta lang="en" name="description" content="Sign in"><meta lang="de" name="description" content="Anmelden">' +
  '<noscript lang="en">Off</noscript><noscript lang="de">Aus</noscript></html>';
const organizationRoles = {
  editor: ['document:write'],
  lead: ['document:write', 'organization:members:invite'],
};
const script = 'console.log("the script of the pages");';

let folder: string;
const apps: Record<string, ServedApp> = {};
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), template + translated);
  writeFileSync(join(folder, 'assets', 'app.js'), script);
  mkdirSync(join(folder, 'assets', 'fonts'));
  writeFileSync(join(folder, 'assets', 'fonts', 'latin.woff2'), 'font');
  writeFileSync(join(folder, 'assets', 'own-pages-7Q2XK3AB.js'), script);
  for (const production of [true, false]) {
    const app = new Koa();
    const config = {
      origins,
      passwordMinLength: 15,
      signUpMode: 'closed',
      organizations: null,
      adminInvitations: false,
      impersonation: true,
      production,
    } as unknown as AuthService['config'];
    app.use(
      servePages(loadPages({ config, organizationRoles, can: () => false }, latchkeyBrand, folder), config),
    );
    apps[production ? 'production' : 'development'] = await serve(app);
  }
});
afterAll(async () => {
  for (const { close } of Object.values(apps)) await close();
  await removeFolder(folder);
});

const get = (mode: 'production' | 'development', path: string, headers: Record<string, string> = {}) =>
  send(apps[mode]?.url ?? '', path, { headers: { Accept: 'text/html', Host: 'localhost:3000', ...headers } });

describe.each(['127.0.0.1:3000', '[::1]:3000'])('a page at the loopback address %s', (Host) => {
  test('redirects to the first origin and keeps the path and the query', async () => {
    const { status, headers } = await get('development', '/signin?to=%2Ffiles', { Host });
    expect([status, headers.location]).toEqual([302, 'https://example.com/signin?to=%2Ffiles']);
  });

  test('is served in production', async () => {
    expect((await get('production', '/signin', { Host })).status).toBe(200);
  });
});

test.each(['localhost:3000', 'example.com', '127.0.0.1.example.com', 'evil127.0.0.1'])(
  'a page at the host %s is not redirected',
  async (Host) => {
    expect((await get('development', '/signin', { Host })).status).toBe(200);
  },
);

test('the document contains the settings of the pages, but not the application’s capabilities', async () => {
  const { text } = await get('production', '/');
  expect(text).toBe(
    '<meta name="latchkey-origins" content="https://example.com https://example.org">' +
      '<meta name="latchkey-password-min-length" content="15">' +
      '<meta name="latchkey-sign-up-mode" content="closed">' +
      '<meta name="latchkey-organizations" content="off">' +
      '<meta name="latchkey-admin-invitations" content="off">' +
      `<meta name="latchkey-organization-roles" content="${encodeURIComponent(
        JSON.stringify({
          editor: { capabilities: [], gives: ['editor'] },
          lead: { capabilities: ['organization:members:invite'], gives: ['editor', 'lead'] },
        }),
      )}">` +
      '<html lang="en"><meta lang="en" name="description" content="Sign in"><noscript lang="en">Off</noscript></html>',
  );
  expect(text).not.toContain('document');
});

test.each([
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr,en;q=0.8,de;q=0.5', 'en'],
  ['fr', 'en'],
  ['', 'en'],
])('the document for the languages "%s" is in the language %s', async (accepted, language) => {
  const { text, headers } = await get('production', '/signin', { 'Accept-Language': accepted });
  expect([...text.matchAll(/ lang="(\w+)"/g)].map(([, found]) => found)).toEqual([
    language,
    language,
    language,
  ]);
  expect(text).toContain(language === 'de' ? 'content="Anmelden"' : 'content="Sign in"');
  expect(headers.vary).toContain('Accept-Language');
});

test('the documents of two languages have different ETags, so a cache does not mix them up', async () => {
  const tagOf = async (language: string) =>
    (await get('production', '/', { 'Accept-Language': language })).headers.etag;
  expect(await tagOf('de')).not.toBe(await tagOf('en'));
});

test('an asset with the same ETag returns 304 without a body', async () => {
  const { headers, text } = await get('production', '/assets/app.js');
  expect(text).toBe(script);
  const again = await get('production', '/assets/app.js', { 'If-None-Match': `${headers.etag}` });
  expect([again.status, again.text]).toEqual([304, '']);
});

test('HEAD returns the headers of a page, and other methods return 404', async () => {
  for (const [method, status] of [
    ['HEAD', 200],
    ['POST', 404],
    ['DELETE', 404],
  ] as const) {
    const answer = await send(apps.production?.url ?? '', '/signin', {
      method,
      headers: { Accept: 'text/html' },
    });
    expect([method, answer.status]).toEqual([method, status]);
  }
});

test('every page that the script shows is served with 200, and any other path with 404', async () => {
  const app = readFileSync(new URL('../../examples/server/web/app.tsx', import.meta.url), 'utf8');
  const paths = [...app.matchAll(/<Route path="([^"]+)"/g)].map(([, path = '']) => path.replace(':id', 'x'));
  expect(paths).toContain('/settings/profile');
  const statuses = await Promise.all(paths.map(async (path) => (await get('production', path)).status));
  expect(statuses).toEqual(paths.map(() => 200));
  expect((await get('production', '/settings/unknown')).status).toBe(404);
});

test('a script with a hash in its name is cached without revalidation, and other assets are revalidated', async () => {
  const cacheControlOf = async (path: string) => (await get('production', path)).headers['cache-control'];
  expect(await cacheControlOf('/assets/own-pages-7Q2XK3AB.js')).toBe('public, max-age=31536000, immutable');
  expect(await cacheControlOf('/assets/app.js')).toBe('no-cache');
  expect(await cacheControlOf('/assets/fonts/latin.woff2')).toBe('no-cache');
  expect(await cacheControlOf('/signin')).toBe('no-cache');
});

test('a font is served with its content type', async () => {
  const { status, headers } = await get('production', '/assets/fonts/latin.woff2');
  expect([status, headers['content-type']]).toEqual([200, 'font/woff2']);
});
