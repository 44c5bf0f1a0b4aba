/**
 * Why a service token was rejected:
 *
 * - `token_invalid`: the token is malformed, forged, signed with an unknown key, or for another service. Respond with
 *   401.
 * - `token_expired`: the token has expired. Respond with 401. The client can request a new token and retry.
 * - `keys_unavailable`: the issuer's public keys could not be fetched, so the token was not checked. Respond with 503.
 */
export type ServiceTokenErrorCode = 'token_invalid' | 'token_expired' | 'keys_unavailable';

const statuses = { token_invalid: 401, token_expired: 401, keys_unavailable: 503 } as const;

/**
 * Thrown if `verifyServiceToken` rejects a token. The message does not contain the token or its claims, so logging and
 * sending the message is safe. Koa uses `status` for the response.
 *
 * @example
 * if (error instanceof ServiceTokenError && error.code === 'token_expired') requestNewToken();
 */
export class ServiceTokenError extends Error {
  override readonly name = 'ServiceTokenError';
  readonly code: ServiceTokenErrorCode;
  /** The HTTP status for the response. */
  readonly status: 401 | 503;
  /** Whether Koa sends the message to the client. */
  readonly expose: boolean;

  constructor(code: ServiceTokenErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = statuses[code];
    this.expose = code !== 'keys_unavailable';
  }
}
