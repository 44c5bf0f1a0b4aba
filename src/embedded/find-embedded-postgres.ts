import { findExistingHome } from './choose-home.ts';
import { realDirectory } from './cluster-home.ts';
import { applicationUrl, askServer } from './connection.ts';
import { readPassword } from './create-cluster.ts';
import { findPostmaster } from './postmaster-file.ts';

/**
 * The embedded PostgreSQL of a folder if it is running and we can log in to it, or null; starts nothing. Null
 * as well for a user who may not read its password (it was started as root, say).
 *
 * @param options.directory the folder given to `startEmbeddedPostgres`; `.latchkey` in the working directory.
 * @returns `url` is a `postgresql://` URL with password; `dataDirectory` is absolute.
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
