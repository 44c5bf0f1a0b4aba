import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { SettingsError } from './settings-error.ts';

const writableForAll = 0o002;
const writableForGroup = 0o020;
const sticky = 0o1000;

/**
 * Returns how another user could have written a file. Null: no other user could. A configuration file is code, so a
 * command in a directory of another user would run the code of this other user. Files of root are trusted, because root
 * can write every file.
 *
 * Other users can be members of a group, so a file that its group can write is refused. The primary group of the user is
 * accepted, because it is normally a private group: many systems create files with the mode 664 for this reason.
 */
export function distrustOf(file: string): string | null {
  const user = process.getuid?.();
  // Windows has no numeric user ids.
  if (user === undefined) return null;
  const path = realpathSync(file);
  for (const place of [path, dirname(path), dirname(realpathSync(dirname(file)))]) {
    const { uid, gid, mode } = statSync(place);
    if (uid !== user && uid !== 0) return `${place} belongs to another user`;
    // In a sticky directory such as /tmp, only the owner can replace a file.
    const isSticky = place !== path && (mode & sticky) !== 0;
    if (isSticky) continue;
    if ((mode & writableForAll) !== 0) return `every user can change ${place}`;
    const isOwnGroup = uid === user && gid === process.getgid?.();
    if ((mode & writableForGroup) !== 0 && !isOwnGroup) return `its group can change ${place}`;
  }
  return null;
}

/** @throws SettingsError */
export function refuseDistrusted(file: string, distrust: string, flag: string): never {
  throw new SettingsError(
    `${file} is not used, because ${distrust}.`,
    `Correct the owner and the mode, or name the file: ${flag}=${file}`,
  );
}

/** Root can do the most harm, and its shell often lacks NODE_ENV. */
export const isRoot = (): boolean => process.getuid?.() === 0;
