import { Router } from '@koa/router';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';

export interface WellKnownOptions {
  /** The page where users manage their passkeys and password: a path or URL. Default: `/settings/security`. */
  securityPage?: string;
}

/**
 * Creates a router with the documents that browsers, password managers and other services request at the root of a site:
 *
 * - `/.well-known/jwks.json`: the public keys that verify service tokens (RFC 7517), one for each secret in JWT_SECRET,
 *   the current one first
 * - `/.well-known/webauthn`: the related origins, which can use the passkeys of the RP id (WebAuthn Level 3, 5.11)
 * - `/.well-known/passkey-endpoints`: the page where users add and manage passkeys (W3C Passkey Endpoints)
 * - `/.well-known/change-password`: redirects to the page where users change credentials (W3C Change Password URL)
 *
 * @throws TypeError for an invalid `securityPage`, or if `auth` is not the result of createAuthService
 * @example app.use(createWellKnownRouter(auth).routes());
 */
export function createWellKnownRouter(
  auth: AuthService<string>,
  { securityPage = '/settings/security' }: WellKnownOptions = {},
): Router {
  const { config, signingKeys } = runtimeOf(auth);
  const { origins } = config;
  const page = new URL(securityPage, origins[0]).href;
  const router = new Router({ prefix: '/.well-known', strict: true, sensitive: true });

  router.get('/jwks.json', (ctx) => {
    // Not application/jwk-set+json: gateways such as KrakenD reject it, and RFC 7517 requires neither.
    ctx.body = { keys: signingKeys.published() };
    // Short, because verifiers trust a key for as long as it is cached, even after its secret was removed.
    ctx.set('Cache-Control', 'public, max-age=60');
  });
  router.get('/webauthn', (ctx) => {
    ctx.body = { origins };
  });
  router.get('/passkey-endpoints', (ctx) => {
    ctx.body = { enroll: page, manage: page };
  });
  router.get('/change-password', (ctx) => {
    ctx.redirect(page);
  });
  return router;
}
