import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The folder that holds one database and all that belongs to it. */
export type ClusterHome = {
  root: string;
  /** PostgreSQL's own data directory; it appears, by a rename, only once initdb has finished. */
  data: string;
  /** The role's password, readable by whoever starts the server and nobody else. */
  password: string;
  /** The port it had last, so that a restart keeps the URL where it can. */
  port: string;
  log: string;
  lock: string;
  /** One file for each running server that uses the database. */
  users: string;
};

export function clusterHome(root: string): ClusterHome {
  return {
    root,
    data: join(root, 'data'),
    password: join(root, 'password'),
    port: join(root, 'port'),
    log: join(root, 'server.log'),
    lock: join(root, 'lock'),
    users: join(root, 'users'),
  };
}

export function holdsCluster(home: ClusterHome): boolean {
  return existsSync(home.data);
}

/** The real, absolute path of the caller's folder, which need not exist yet. */
export function realDirectory(directory = '.latchkey'): string {
  const absolute = resolve(directory);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realDirectory(parent), basename(absolute));
  }
}
