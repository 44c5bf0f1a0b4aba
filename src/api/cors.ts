import type { Middleware } from 'koa';
import { allowOrigins } from '../http/cors.ts';
import { runtimeOf } from '../service/auth-service.ts';
import type { AuthService } from '../service/types.ts';

/**
 * Middleware that lets pages of the configured `origins` call the application's own routes with credentials (CORS).
 * It answers preflights. Pages of other origins cannot read the responses. For the routes of `createAuthRouter`, the
 * option `cors` is enough.
 *
 * @throws TypeError if `auth` is not the result of `createAuthService`
 * @example app.use(createCors(auth));
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 */
export const createCors = (auth: AuthService<string>): Middleware =>
  allowOrigins(runtimeOf(auth, 'createCors').config);
