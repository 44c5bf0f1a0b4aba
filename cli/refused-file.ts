import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import type { RefusedUser } from 'latchkey';
import { UsageError } from './usage-error.ts';

/**
 * Creates the file for refused records, which only its owner can read, because it can contain password hashes. Replaces
 * the file of an earlier import, so that the same command can be repeated.
 *
 * @throws UsageError if it is the file to import
 */
export async function createRefusedFile(path: string, imported: FileHandle | null): Promise<FileHandle> {
  const existing = await stat(path).catch(() => null);
  const source = await imported?.stat();
  if (existing && source && existing.dev === source.dev && existing.ino === source.ino)
    throw new UsageError('--refused: expected another file than the file to import.');
  if (existing && !existing.isFile())
    throw new UsageError(`--refused: expected a file, but ${path} is not a file.`);
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
}

/** Returns a line of the file. The record is JSON if the line was JSON. */
export function refusedLine({ line, reason, message, record }: RefusedUser): string {
  return `${JSON.stringify({ line, reason, message, record: parsed(record) })}\n`;
}

function parsed(record: unknown): unknown {
  if (typeof record !== 'string') return record;
  try {
    return JSON.parse(record);
  } catch {
    return record;
  }
}
