/**
 * Why a service token was refused:
 *
 * - `token_invalid`: it is malformed, forged, signed with an unknown key, or meant for another service. Answer 401.
 * - `token_expired`: it was valid once. Answer 401; the client gets a new one and retries.
 * - `keys_unavailable`: the issuer's public keys could not be fetched, so nothing is known of the token. Answer 503.
 */
export type ServiceTokenErrorCode = 'token_invalid' | 'token_expired' | 'keys_unavailable';

const statuses = { token_invalid: 401, token_expired: 401, keys_unavailable: 503 } as const;

/**
 * The one error that `verifyServiceToken` throws for a token. Its message holds no token and no claim, so it is safe to
 * log and to send. Koa answers with `status` by itself.
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
