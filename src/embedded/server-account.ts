import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram, type ServerAccount } from './run-program.ts';

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

const unprivilegedUsers = ['postgres', 'nobody'];

/**
 * Returns the account for a new database. For root: the first of `unprivilegedUsers` that exists. For other users: null,
 * because PostgreSQL runs as the current user.
 *
 * @throws EmbeddedPostgresError `start_failed` if none of them exists
 */
export async function accountForNewCluster(): Promise<ServerAccount | null> {
  if (!isRoot()) return null;
  for (const name of unprivilegedUsers) {
    const account = await lookUp(name);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL does not run as root, and this system has none of the users ${unprivilegedUsers.join(', ')}. ` +
      'Start the server as an ordinary user, or set DATABASE_URL to your own PostgreSQL.',
  );
}

/** An existing database runs under the account that owns its files. */
export function accountOfOwner(owner: { uid: number; gid: number }): ServerAccount {
  return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
}

/** id(1) uses the name service, which also finds accounts outside of /etc/passwd (LDAP). */
async function lookUp(name: string): Promise<ServerAccount | null> {
  const [user, group] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  const [uid, gid] = [Number(user.output.trim()), Number(group.output.trim())];
  if (!user.ok || !group.ok || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0) return null;
  return { name, uid, gid };
}
