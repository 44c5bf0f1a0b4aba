import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { errorSummary } from './file-errors.ts';
import { isRoot } from './server-account.ts';

/**
 * Returns the fallback places in order of preference. A fallback place is a folder for the databases and binaries of
 * projects whose own folder is not usable.
 */
export function fallbackPlaces(): string[] {
  const persistent = persistentPlace();
  const temporary = process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp'];
  const owned = temporary.map((place) => join(resolve(place), `latchkey-${process.geteuid?.() ?? 'user'}`));
  return [...new Set(persistent === null ? owned : [persistent, ...owned])];
}

/**
 * Creates the folder if it is missing. Returns why the folder is not usable, or null.
 *
 * Rejects a folder of another system user, because every system user can create folders in /tmp, and the owner of a
 * folder can replace the programs in it.
 */
export function claimPlace(place: string): string | null {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const status = lstatSync(place);
    if (!status.isDirectory()) return 'it is not a folder';
    if (process.platform === 'win32') return null;
    if (status.uid !== process.geteuid?.()) return 'it belongs to another user';
    if ((status.mode & 0o022) !== 0) return 'other users can write to it';
    // Root's umask can be strict, but the system user that runs PostgreSQL must be able to enter the folder.
    if (isRoot()) chmodSync(place, 0o711);
    return null;
  } catch (error) {
    return `it cannot be created (${errorSummary(error)})`;
  }
}

function persistentPlace(): string | null {
  if (process.platform === 'win32') {
    return process.env.LOCALAPPDATA ? join(process.env.LOCALAPPDATA, 'latchkey') : null;
  }
  if (isRoot()) return '/var/lib/latchkey';
  const data = process.env.XDG_DATA_HOME;
  // The XDG Base Directory Specification says to ignore relative paths.
  if (data && isAbsolute(data)) return join(data, 'latchkey');
  const home = homeFolder();
  return home === null ? null : join(home, '.local', 'share', 'latchkey');
}

/** Returns null if the system does not know the home folder. `homedir` throws for some system users. */
function homeFolder(): string | null {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : null;
  } catch {
    return null;
  }
}
