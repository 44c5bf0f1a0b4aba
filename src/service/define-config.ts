import type { UserFields } from '../core/user-fields.ts';
import type { AuthServiceOptions } from './auth-service.ts';

/** The options that `AuthServiceOptions` does not have. Their values must be `never`, so they are a compile error. */
type UnknownOptions<Options> = { readonly [Name in Exclude<keyof Options, keyof AuthServiceOptions>]: never };

/**
 * Types the options in `latchkey.config.ts`, which the application, the `latchkey` command and its doctor share. Returns
 * the options unchanged. `createAuthService` infers the application's capabilities from the result.
 *
 * @example
 * // latchkey.config.ts
 * import { defineConfig } from 'latchkey';
 *
 * export default defineConfig({
 *   rpName: 'Orders',
 *   sessionTtlSeconds: 86_400,
 *   capabilities: { user: { 'report:read': 'joined' } },
 * });
 *
 * // app.ts
 * import config from './latchkey.config.ts';
 *
 * const auth = await createAuthService(config);
 */
export const defineConfig = <const Options extends AuthServiceOptions<string, UserFields, string>>(
  options: Options & UnknownOptions<Options>,
): Options => options;
