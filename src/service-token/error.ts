/**
 * Why a service token was rejected:
 *
 * - `token_invalid`: it is malformed, forged, signed with an unknown key, or for another service. Answer 401.
 * - `token_expired`: it was valid before. Answer 401; the client requests a new token and retries.
 * - `keys_unavailable`: the issuer's public keys could not be fetched, so the token was not checked. Answer 503.
 */
export type ServiceTokenErrorCode = 'token_invalid' | 'token_expired' | 'keys_unavailable';

const statuses = { token_invalid: 401, token_expired: 401, keys_unavailable: 503 } as const;

/**
 * Thrown by `verifyServiceToken` if it rejects a token. The message contains neither the token nor its claims, so it is
 * safe to log and to send. Koa uses `status` for the response.
 */
export class ServiceTokenError extends Error {
  override readonly name = 'ServiceTokenError';
  readonly code: ServiceTokenErrorCode;
  /** The HTTP status to answer with. */
  readonly status: 401 | 503;
  /** Whether Koa may send the message. */
  readonly expose: boolean;

  constructor(code: ServiceTokenErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = statuses[code];
    this.expose = code !== 'keys_unavailable';
  }
}
