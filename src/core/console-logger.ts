import type { Logger } from './logger.ts';

/** Warnings and errors to stderr, one JSON line each, where the application gives no logger. */
export const consoleLogger: Logger = {
  info: () => {},
  warn: (fields, message) => write('warn', fields, message),
  error: (fields, message) => write('error', fields, message),
};

function write(level: string, fields: object, message: string): void {
  const line = JSON.stringify({ level, message, ...fields }, (_, value: unknown) =>
    value instanceof Error ? { name: value.name, message: value.message, stack: value.stack } : value,
  );
  process.stderr.write(`${line}\n`);
}
