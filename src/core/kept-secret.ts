import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigurationError } from './config-fault.ts';

/**
 * Reads the JWT_SECRET of development from a file, and generates it on the first start. Sessions and ceremonies survive a
 * restart.
 *
 * The secret is written to a draft, then linked to its final name. If a concurrent process was faster, linking fails
 * and its secret is read.
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
    // Some shared and removable file systems have no links. There, the last of concurrent processes wins.
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

/** Keeps the secret out of Git. An existing `.gitignore` stays. */
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
