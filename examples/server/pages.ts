import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import type { Context, Middleware } from 'koa';
import type { AuthService } from 'latchkey';
import { colorFavicon } from './brand/favicon.ts';
import type { Logo } from './brand/logo.ts';
import type { Brand } from './brand/setting.ts';
import { styleOf } from './brand/shades.ts';
import type { FilesAuthService } from './files/capabilities.ts';
import { describeCapabilities } from './page-capabilities.ts';
import { type Language, languages } from './web/messages/languages.ts';

interface Asset {
  type: string;
  bytes: Buffer;
  gzipped: Buffer;
  etag: string;
}

export interface Pages {
  /** The only HTML document, in English. Its script decides which page to show. */
  document: Asset;
  /** The document in each language, including English. */
  translations: ReadonlyMap<string, Asset>;
  assets: ReadonlyMap<string, Asset>;
}

/** The part of a service that the pages need. */
export interface PageSource {
  config: Pick<
    AuthService['config'],
    | 'production'
    | 'origins'
    | 'passwordMinLength'
    | 'signUpMode'
    | 'organizations'
    | 'adminInvitations'
    | 'impersonation'
    | 'webhooks'
  >;
  organizationRoles: AuthService['organizationRoles'];
  can: FilesAuthService['can'];
}

const pagePaths = new Set([
  '/',
  '/signup',
  '/signin',
  '/signin/password',
  '/recover',
  '/invitation',
  '/join',
  '/settings/security',
  '/settings/profile',
  '/settings/activity',
  '/files',
  '/organizations',
  '/admin/users',
  '/admin/activity',
  '/admin/invitations',
  '/admin/overview',
  '/admin/webhooks',
]);
/** Paths that contain an id. The script reads the id. */
const pagesOfOne = /^\/(organizations|admin\/users)\/[^/]+$/;
const built = fileURLToPath(new URL('./web/', import.meta.url));

/** Reads the built pages into memory and compresses each file once. */
export function loadPages(source: PageSource, brand: Brand, directory = built): Pages {
  const files = readdirSync(join(directory, 'assets'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const assets = files.map(
    (file) => [`/${relative(directory, file).split(sep).join('/')}`, readAsset(file)] as const,
  );
  const html = readFileSync(join(directory, 'index.html'), 'utf8');
  const documentIn = (language: Language) => documentOf(inLanguage(html, language), source, brand);
  return {
    document: documentIn('en'),
    translations: new Map(languages.map(({ code }) => [code, documentIn(code)])),
    assets: new Map([...assets, ...brandAssets(brand, directory)]),
  };
}

const logoPath = ({ type }: Logo) => `/assets/brand-logo${type}`;

/** The files that depend on the settings of the brand. */
function brandAssets({ logo, accent }: Brand, directory: string): [string, Asset][] {
  const assets: [string, Asset][] = [];
  if (logo) assets.push([logoPath(logo), assetOf(logo.type, logo.bytes)]);
  if (accent) {
    const favicon = readFileSync(join(directory, 'assets/favicon.svg'), 'utf8');
    assets.push(['/assets/brand.css', assetOf('.css', Buffer.from(styleOf(accent)))]);
    assets.push(['/assets/favicon.svg', assetOf('.svg', Buffer.from(colorFavicon(favicon, accent)))]);
  }
  return assets;
}

/**
 * Declares the language, and removes the texts in other languages. Search engines and browsers without JavaScript see
 * only these texts. The script shows the language that the user chose in this browser.
 */
function inLanguage(html: string, language: Language): string {
  const keep = (given: string, written: string) => (written === language ? given : '');
  return html
    .replace(/(?<=<html lang=")[^"]*/, language)
    .replace(/\s*<meta lang="([^"]*)"[^>]*>/g, keep)
    .replace(/\s*<noscript lang="([^"]*)">[\s\S]*?<\/noscript>/g, keep);
}

/**
 * Adds the settings that the script needs. If the pages are opened at an origin that is not configured, the script shows
 * where they work.
 */
function documentOf(
  template: string,
  { config, organizationRoles, can }: PageSource,
  { name, logo, accent }: Brand,
): Asset {
  const { origins, passwordMinLength, signUpMode, organizations, adminInvitations } = config;
  const html = template
    // Replaces with functions, because `$` has a special meaning in a replacement string.
    .replace(/(?<=<title>)[^<]*/, () => escapeHtml(name))
    .replace(/(?<=name="latchkey-brand-name" content=")/, () => escapeHtml(name))
    .replace(/(?<=name="latchkey-brand-logo" content=")/, logo ? logoPath(logo) : '')
    .replace('/assets/favicon.svg" type="image/svg+xml"', (given) =>
      logo ? `${logoPath(logo)}" type="${logoTypes[logo.type]}"` : given,
    )
    .replace('<link rel="stylesheet" href="/assets/app.css" />', (given) =>
      accent ? `${given}\n    <link rel="stylesheet" href="/assets/brand.css" />` : given,
    )
    .replace(/(?<=name="latchkey-setup" content=")/, config.production ? 'off' : 'on')
    .replace(/(?<=name="latchkey-origins" content=")/, origins.join(' '))
    .replace(/(?<=name="latchkey-password-min-length" content=")/, `${passwordMinLength}`)
    .replace(/(?<=name="latchkey-sign-up-mode" content=")/, signUpMode)
    .replace(/(?<=name="latchkey-organizations" content=")/, organizations?.createdBy ?? 'off')
    .replace(/(?<=name="latchkey-admin-invitations" content=")/, adminInvitations ? 'on' : 'off')
    .replace(/(?<=name="latchkey-organization-roles" content=")/, describeRoles(organizationRoles))
    .replace(/(?<=name="latchkey-capabilities" content=")/, describeCapabilities(can))
    .replace(/(?<=name="latchkey-impersonation" content=")/, config.impersonation ? 'on' : 'off')
    .replace(/(?<=name="latchkey-webhooks" content=")/, config.webhooks === null ? 'off' : 'on');
  return assetOf('.html', Buffer.from(html));
}

const logoTypes = { '.svg': 'image/svg+xml', '.png': 'image/png' } as const;

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character] ?? '');

/**
 * Describes the custom organization roles for the script: the built-in capabilities of each role, and which roles its
 * members can give. The names of other capabilities stay on the server.
 */
function describeRoles(roles: PageSource['organizationRoles']): string {
  const described = Object.entries(roles).map(([role, listed]) => [
    role,
    {
      capabilities: listed.filter((name) => name.startsWith('organization:')),
      gives: Object.keys(roles).filter((other) => roles[other]?.every((name) => listed.includes(name))),
    },
  ]);
  return encodeURIComponent(JSON.stringify(Object.fromEntries(described)));
}

const readAsset = (file: string): Asset => assetOf(extname(file), readFileSync(file));

function assetOf(type: string, bytes: Buffer): Asset {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { type, bytes, gzipped: gzipSync(bytes), etag };
}

export function servePages(
  { document, translations, assets }: Pages,
  { origins, production, impersonation }: AuthService['config'],
): Middleware {
  return (ctx, next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next();
    const asset = assets.get(ctx.path);
    if (asset) return send(ctx, asset, 200, hashed.test(ctx.path) ? forever : revalidate);
    const isPage =
      pagePaths.has(ctx.path) || pagesOfOne.test(ctx.path) || (impersonation && ctx.path === '/impersonate');
    // Browsers get a "Page not found" page. Other clients get the plain 404 of the next middleware.
    if (!isPage && ctx.accepts('json', 'html') !== 'html') return next();
    // Passkeys do not work at an IP address, so requests to the loopback address are redirected to the origin.
    if (!production && /^(127\.0\.0\.1|\[::1\])$/.test(ctx.hostname))
      return ctx.redirect(`${origins[0]}${ctx.url}`);
    ctx.vary('Accept-Language');
    const language = ctx.acceptsLanguages([...translations.keys()]) || 'en';
    send(ctx, translations.get(language) ?? document, isPage ? 200 : 404);
  };
}

/** The names of scripts that contain a hash of their content. */
const hashed = /-[A-Z0-9]{8}\.js$/;
const forever = 'public, max-age=31536000, immutable';
const revalidate = 'no-cache';
/**
 * For SVG files. A logo can contain scripts, which a browser runs if it opens the file as a document. Inline styles and
 * embedded pictures are allowed, because logos often have them.
 */
const svgPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

function send(
  ctx: Context,
  { type, bytes, gzipped, etag }: Asset,
  status = 200,
  cacheControl = revalidate,
): void {
  ctx.status = status;
  ctx.set('Cache-Control', cacheControl);
  ctx.vary('Accept-Encoding');
  ctx.etag = etag;
  ctx.type = type;
  if (type === '.svg') ctx.set('Content-Security-Policy', svgPolicy);
  if (ctx.fresh) {
    ctx.status = 304;
    return;
  }
  const compressed = ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
  if (compressed) ctx.set('Content-Encoding', 'gzip');
  ctx.body = compressed ? gzipped : bytes;
}
