import { findExistingHome } from './choose-home.ts';
import { realDirectory } from './cluster-home.ts';
import { applicationUrl, askServer } from './connection.ts';
import { readPassword } from './create-cluster.ts';
import { findPostmaster } from './postmaster-file.ts';

/**
 * Finds the running embedded PostgreSQL of a folder. Starts nothing. Returns null if it is not running, or if this user
 * cannot read its password (for example, because it was started as root).
 *
 * @param options.directory the folder given to `startEmbeddedPostgres`; default: `.latchkey` in the working directory
 * @returns `url`: a `postgresql://` URL with the password. `dataDirectory`: an absolute path.
 * @example
 * const running = await findEmbeddedPostgres();
 * const url = running?.url ?? process.env.DATABASE_URL;
 */
export async function findEmbeddedPostgres(
  options: { directory?: string } = {},
): Promise<{ url: string; dataDirectory: string } | null> {
  const home = findExistingHome(realDirectory(options.directory));
  if (!home) return null;
  const password = await readPassword(home);
  const postmaster = await findPostmaster(home);
  if (password === null || !postmaster?.port) return null;
  const url = applicationUrl(postmaster.port, password);
  const answer = await askServer(url, postmaster.dataDirectory);
  return answer === 'accepts' ? { url, dataDirectory: home.data } : null;
}
