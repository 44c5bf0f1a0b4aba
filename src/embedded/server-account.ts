import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram, type ServerAccount } from './run-program.ts';

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

const unprivilegedUsers = ['postgres', 'nobody'];

/**
 * Returns the system user that runs PostgreSQL for a new database. For root, this is the first existing user of
 * `unprivilegedUsers`, because PostgreSQL does not run as root. Null: PostgreSQL runs as the current system user.
 *
 * @throws EmbeddedPostgresError `start_failed` if root is the current system user and no user of the list exists
 */
export async function accountForNewCluster(): Promise<ServerAccount | null> {
  if (!isRoot()) return null;
  for (const name of unprivilegedUsers) {
    const account = await lookUp(name);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    `PostgreSQL does not run as root, and this system has no user named ${unprivilegedUsers.join(' or ')}. ` +
      'Start this program as a user other than root, or set DATABASE_URL to the URL of your own PostgreSQL.',
  );
}

/** Returns the system user that owns the files of an existing database. PostgreSQL must run as this user. */
export function accountOfOwner(owner: { uid: number; gid: number }): ServerAccount {
  return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
}

/** Uses id(1), which also finds system users outside of /etc/passwd, such as LDAP users. */
async function lookUp(name: string): Promise<ServerAccount | null> {
  const [user, group] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  const [uid, gid] = [Number(user.output.trim()), Number(group.output.trim())];
  if (!user.ok || !group.ok || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0) return null;
  return { name, uid, gid };
}
