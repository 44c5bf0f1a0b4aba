import { spawnSync } from 'node:child_process';

const setpriv = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];

/**
 * Returns the words that begin a command that must respect file permissions. Root could otherwise read every file.
 * Returns null if root has no `setpriv`. With CI=true, throws instead.
 */
export function respectingPermissions(): string[] | null {
  if (process.geteuid?.() !== 0) return [];
  const [program = '', ...rest] = setpriv;
  if (spawnSync(program, [...rest, 'true']).status === 0) return setpriv;
  const missing = 'as root, the tests of unreadable files need setpriv (apt-get install util-linux)';
  if (process.env.CI === 'true') throw new Error(missing);
  process.stdout.write(`skipped: ${missing}\n`);
  return null;
}
