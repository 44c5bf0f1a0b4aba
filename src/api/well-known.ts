import { Router } from '@koa/router';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';

export interface WellKnownOptions {
  /** The page where people add and manage passkeys, a path or URL; default `/settings/security`. */
  securityPage?: string;
}

/**
 * The documents that browsers, password managers and other services look for at the root of a site:
 *
 * - `/.well-known/jwks.json`: the public keys that verify service tokens (RFC 7517), of every listed JWT_SECRET, the
 *   current one first
 * - `/.well-known/webauthn`: the origins that may use this RP id's passkeys (WebAuthn 5.11)
 * - `/.well-known/passkey-endpoints`: where passkeys are added and managed (W3C Passkey Endpoints)
 * - `/.well-known/change-password`: where credentials are changed (W3C Change Password URL)
 *
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
    // Not application/jwk-set+json: gateways such as KrakenD refuse it, and RFC 7517 asks for neither.
    ctx.body = { keys: signingKeys.published() };
    // Caches add to the time that a verifier goes on trusting a key whose secret was dropped.
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
