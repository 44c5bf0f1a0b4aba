import { lstatSync } from 'node:fs';

/** Returns the `code` of an error: for example `ENOENT` for a system error, or the SQLSTATE for a PostgreSQL error. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the code of an error, or the message if the error has no code. */
export function errorSummary(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error));
}

/** Whether the path does not exist. If the system does not allow this check, the path counts as existing. */
export function isGone(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
  }
}
