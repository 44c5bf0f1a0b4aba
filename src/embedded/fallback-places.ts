import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { errorSummary } from './file-errors.ts';
import { isRoot } from './server-account.ts';

/** Where databases and binaries go, best place first, when the project's own folder will not do. */
export function fallbackPlaces(): string[] {
  const lasting = lastingPlace();
  const temporary = process.platform === 'win32' ? [tmpdir()] : [tmpdir(), '/tmp'];
  const owned = temporary.map((place) => join(resolve(place), `latchkey-${process.geteuid?.() ?? 'user'}`));
  return [...new Set(lasting === null ? owned : [lasting, ...owned])];
}

/**
 * Makes the place if need be, and answers why it is unfit. A folder another account could have put there
 * (anybody can make one under /tmp) would let that account choose the programs we run.
 */
export function claimPlace(place: string): string | null {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const status = lstatSync(place);
    if (!status.isDirectory()) return 'it is not a folder';
    if (process.platform === 'win32') return null;
    if (status.uid !== process.geteuid?.()) return 'it belongs to another user';
    if ((status.mode & 0o022) !== 0) return 'other users can write to it';
    // A strict umask would keep out the account PostgreSQL runs under.
    if (isRoot()) chmodSync(place, 0o711);
    return null;
  } catch (error) {
    return `it cannot be made (${errorSummary(error)})`;
  }
}

function lastingPlace(): string | null {
  if (process.platform === 'win32') {
    return process.env.LOCALAPPDATA ? join(process.env.LOCALAPPDATA, 'latchkey') : null;
  }
  if (isRoot()) return '/var/lib/latchkey';
  const data = process.env.XDG_DATA_HOME;
  // The XDG specification: a relative path is invalid and is ignored.
  if (data && isAbsolute(data)) return join(data, 'latchkey');
  const home = homeFolder();
  return home === null ? null : join(home, '.local', 'share', 'latchkey');
}

/** An account without an entry in the user database has no home, and Node throws. */
function homeFolder(): string | null {
  try {
    const home = homedir();
    return isAbsolute(home) ? home : null;
  } catch {
    return null;
  }
}
