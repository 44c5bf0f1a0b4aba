import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** The paths of one database: its folder, and the files inside it. */
export type ClusterHome = {
  root: string;
  /** PostgreSQL's data directory. It is renamed to this path after initdb has finished. */
  data: string;
  /** The role's password. Only the user who starts the server can read it. */
  password: string;
  /** The last port, so that a restart keeps the URL if the port is free. */
  port: string;
  log: string;
  lock: string;
  /** Contains one file for each running process that uses the database. */
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

/** Returns the absolute path of the caller's folder without symbolic links. The folder need not exist. */
export function realDirectory(directory = '.latchkey'): string {
  const absolute = resolve(directory);
  try {
    return realpathSync(absolute);
  } catch {
    const parent = dirname(absolute);
    return parent === absolute ? absolute : join(realDirectory(parent), basename(absolute));
  }
}
