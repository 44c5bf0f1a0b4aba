import type { Logger } from './logger.ts';

/** The default logger: writes warnings and errors to stderr as JSON lines. */
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
