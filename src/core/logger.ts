/** Where the service reports what an operator should know. Fits pino, and `console` too. */
export interface Logger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
