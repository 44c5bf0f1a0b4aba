/**
 * The logger of the service. A pino logger and `console` implement this interface.
 *
 * @example const auth = await createAuthService({ log: pino() });
 */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
