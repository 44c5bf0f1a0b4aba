import { AuthError, ConfigurationError, DatabaseError, SchemaError } from 'latchkey';

/** Returns the message and the exit code for a server that does not start. */
export function explain(error: unknown): { message: string; exitCode: number } {
  if (error instanceof ConfigurationError) return { message: error.message, exitCode: 2 };
  if (error instanceof DatabaseError || error instanceof SchemaError)
    return { message: error.message, exitCode: 4 };
  if (error instanceof AuthError && error.code === 'unavailable') {
    const cause = error.cause instanceof Error ? error.cause.message || `${error.cause}` : 'unknown error';
    return { message: `The database at DATABASE_URL is unreachable: ${cause}`, exitCode: 4 };
  }
  if (error instanceof Error && 'code' in error && error.code === '42501') {
    return {
      message: `The role in DATABASE_URL lacks a privilege: ${error.message}. As the owner of the schema, run \`latchkey migrate --service-role=<role>\`.`,
      exitCode: 4,
    };
  }
  if (isListenError(error)) {
    const hint = error.code === 'EADDRINUSE' ? 'is in use' : 'is not available';
    return {
      message: `Port ${error.port} ${hint}. Choose another port, for example with SERVER_ADDR=:3001 (pages) or METRICS_ADDR=:9465 (metrics).`,
      exitCode: 1,
    };
  }
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), exitCode: 1 };
}

const isListenError = (error: unknown): error is { code: string; port: number } =>
  error instanceof Error && 'syscall' in error && error.syscall === 'listen';
