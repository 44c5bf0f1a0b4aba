import { findExistingHome } from './choose-home.ts';
import { realDirectory } from './cluster-home.ts';
import { askServer } from './connection.ts';
import { readPassword } from './create-cluster.ts';
import { type EmbeddedUrls, urlsOf } from './embedded-urls.ts';
import { findPostmaster } from './postmaster-file.ts';

/**
 * Finds the running embedded PostgreSQL of a folder. Does not start PostgreSQL.
 *
 * @param options.directory the same folder as for `startEmbeddedPostgres`; default: `.latchkey` in the working
 *   directory
 * @returns the same URLs as `startEmbeddedPostgres`, and `dataDirectory`, the absolute path of the data directory.
 *   Null if PostgreSQL is not running, or if this system user cannot read the password. For example, only root can read
 *   the password of an embedded PostgreSQL that root started.
 * @example
 * const running = await findEmbeddedPostgres();
 * const url = running?.url ?? process.env.DATABASE_URL;
 */
export async function findEmbeddedPostgres(
  options: { directory?: string } = {},
): Promise<(EmbeddedUrls & { dataDirectory: string }) | null> {
  const home = findExistingHome(realDirectory(options.directory));
  if (!home) return null;
  const password = await readPassword(home);
  const postmaster = await findPostmaster(home);
  if (password === null || !postmaster?.port) return null;
  const access = { port: postmaster.port, password };
  const answer = await askServer(access, postmaster.dataDirectory);
  return answer === 'accepts' ? { ...urlsOf(access), dataDirectory: home.data } : null;
}
