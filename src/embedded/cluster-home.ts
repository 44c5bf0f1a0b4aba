import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The paths of one database: the folder, and what the folder contains. */
export type ClusterHome = {
  root: string;
  /** PostgreSQL's data directory. Exists only if the database is complete. */
  data: string;
  /** The file with the password. Only the system user who starts the server can read this file. */
  password: string;
  /** The file with the last port, so that the URL stays the same after a restart. */
  port: string;
  log: string;
  lock: string;
  /** The folder with one file for each process that uses the database. */
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

/** Returns the absolute path of a folder without symbolic links. The folder does not need to exist. */
export function realDirectory(directory = '.latchkey'): string {
  const absolute = resolve(directory);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realDirectory(parent), basename(absolute));
  }
}
