import { Router } from '@koa/router';
import type { AndroidApp } from '../core/config-native-apps.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';

export interface WellKnownOptions {
  /** The path or URL of the page where users manage their passkeys and password. Default: `/settings/security`. */
  securityPage?: string;
}

/**
 * Creates a router for the standard paths that browsers, password managers and other services request:
 *
 * - `/.well-known/jwks.json`: the public keys that verify service tokens (RFC 7517). JWT_SECRET can contain several
 *   secrets. The list has one key for each secret and starts with the key of the current secret.
 * - `/.well-known/webauthn`: the origins that can use the passkeys of the relying party (WebAuthn Level 3, 5.11)
 * - `/.well-known/passkey-endpoints`: the URL of `securityPage`, for adding and managing passkeys (W3C Passkey
 *   Endpoints)
 * - `/.well-known/change-password`: redirects to `securityPage` (W3C Change Password URL)
 * - `/.well-known/assetlinks.json`, if `nativeApps` contains Android apps: they can use the passkeys of the relying
 *   party (Digital Asset Links)
 * - `/.well-known/apple-app-site-association`, if `nativeApps` contains Apple apps: they can use the passkeys of the
 *   relying party (Associated Domains)
 *
 * Platforms read the last two from the domain of the RP id, over https and without redirects.
 *
 * @throws TypeError if `securityPage` is not a path or URL, or if `auth` is not the result of `createAuthService`
 * @example app.use(createWellKnownRouter(auth).routes());
 */
export function createWellKnownRouter(
  auth: AuthService<string>,
  { securityPage = '/settings/security' }: WellKnownOptions = {},
): Router {
  const { config, signingKeys } = runtimeOf(auth, 'createWellKnownRouter');
  const { origins } = config;
  const page = new URL(securityPage, origins[0]).href;
  const router = new Router({ prefix: '/.well-known', strict: true, sensitive: true });

  router.get('/jwks.json', (ctx) => {
    // Koa sends application/json. Gateways such as KrakenD reject application/jwk-set+json, and RFC 7517 requires
    // neither type.
    ctx.body = { keys: signingKeys.published() };
    // The time is short, because verifiers trust a cached key even after an operator has removed its secret.
    ctx.set('Cache-Control', 'public, max-age=60');
  });
  router.get('/webauthn', (ctx) => {
    ctx.body = { origins };
  });
  const { android, apple } = config.nativeApps;
  if (android.length > 0)
    router.get('/assetlinks.json', (ctx) => {
      ctx.body = android.map(linkTo);
    });
  if (apple.length > 0)
    router.get('/apple-app-site-association', (ctx) => {
      ctx.body = { webcredentials: { apps: apple } };
    });
  router.get('/passkey-endpoints', (ctx) => {
    ctx.body = { enroll: page, manage: page };
  });
  router.get('/change-password', (ctx) => {
    ctx.redirect(page);
  });
  return router;
}

/** `get_login_creds` shares credentials with the app. Android requires both relations for passkeys. */
const linkTo = ({ packageName, sha256CertFingerprints }: AndroidApp) => ({
  relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
  target: {
    namespace: 'android_app',
    package_name: packageName,
    sha256_cert_fingerprints: sha256CertFingerprints,
  },
});
