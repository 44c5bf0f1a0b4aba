import { lstatSync } from 'node:fs';

/** The errno name of a failed system call (`ENOENT`), or of a PostgreSQL error its SQLSTATE. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What went wrong, short enough for the middle of a sentence. */
export function errorSummary(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** A folder we may not look at is not gone. */
export function isGone(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
  }
}
