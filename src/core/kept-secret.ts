import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './config-fault.ts';

/**
 * Reads the JWT_SECRET for development from a file. The first start creates the file, so that passwords, recovery
 * codes, service tokens and unfinished ceremonies stay valid after a restart.
 *
 * Writes the secret to a draft, then creates a hard link with the final name. If another process has created a file
 * with the final name first, creating the link fails, and this process reads the secret of the other process.
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
    // Some network and removable file systems have no hard links, so the draft is renamed instead. Renaming replaces
    // the file of another process. If several processes start for the first time at once, the last secret stays.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') renameSync(draft, file);
  } finally {
    rmSync(draft, { force: true });
  }
  const kept = read(file);
  if (!kept) {
    const expected = 'a secret; delete the file, and the next start creates a new one';
    throw new ConfigurationError([{ setting: file, given: 'an empty file', expected }]);
  }
  return kept;
}

/** Keeps the secret out of Git. Does not change an existing `.gitignore`. */
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
