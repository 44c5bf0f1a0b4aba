import { findExistingHome } from './choose-home.ts';
import { realDirectory } from './cluster-home.ts';
import { applicationUrl, askServer } from './connection.ts';
import { readPassword } from './create-cluster.ts';
import { findPostmaster } from './postmaster-file.ts';

/**
 * Finds the running embedded PostgreSQL of a folder. Does not start PostgreSQL.
 *
 * @param options.directory the same folder as for `startEmbeddedPostgres`; default: `.latchkey` in the working
 *   directory
 * @returns `url`: a `postgresql://` URL with the password. `dataDirectory`: the absolute path of the data directory.
 *   Null if PostgreSQL is not running, or if this system user cannot read the password. For example, only root can read
 *   the password of an embedded PostgreSQL that root started.
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
