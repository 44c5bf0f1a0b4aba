import { lstatSync } from 'node:fs';

/** Returns the errno name of a failed system call (`ENOENT`), or the SQLSTATE of a PostgreSQL error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Describes an error in a few words, for use inside a sentence. */
export function errorSummary(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Whether the path does not exist. An unreadable path counts as existing. */
export function isGone(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
  }
}
