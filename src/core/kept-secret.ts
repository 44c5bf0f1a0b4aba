import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Development's JWT_SECRET: made once and kept, so that a restart signs nobody out.
 *
 * It is written beside its place and linked into it, which fails where another process was first; then that
 * one's secret is read.
 */
export function keptSecret(directory: string): string {
  const file = join(directory, 'jwt-secret');
  const existing = read(file);
  if (existing) return existing;
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  ignoreInGit(directory);
  const draft = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    linkSync(draft, file);
  } catch (error) {
    // Some shared and removable file systems have no links; there the last of several processes wins.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = read(file);
  if (!kept) throw new Error(`${file} is empty. Delete it, and the next start makes a new one.`);
  return kept;
}

/** Nothing in a folder of ours belongs into anybody's repository; a folder that has its own opinion keeps it. */
function ignoreInGit(directory: string): void {
  try {
    writeFileSync(join(directory, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
