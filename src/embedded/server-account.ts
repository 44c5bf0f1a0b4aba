import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { runProgram, type ServerAccount } from './run-program.ts';

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * The account for a new database: none (ourselves) unless root, then `postgres`, else `nobody`.
 * @throws EmbeddedPostgresError `start_failed` when root finds neither.
 */
export async function accountForNewCluster(): Promise<ServerAccount | null> {
  if (!isRoot()) return null;
  for (const name of ['postgres', 'nobody']) {
    const account = await lookUp(name);
    if (account) return account;
  }
  throw new EmbeddedPostgresError(
    'start_failed',
    'PostgreSQL refuses to run as root, and this system has neither a user "postgres" nor "nobody" to run it ' +
      'as. Start the server as an ordinary user, or set DATABASE_URL to a PostgreSQL of your own.',
  );
}

/** An existing database is run by the account that owns its files, whoever made it. */
export function accountOfOwner(owner: { uid: number; gid: number }): ServerAccount {
  return { name: `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid };
}

/** id(1) asks the name service, so an account from LDAP is found as well as one from /etc/passwd. */
async function lookUp(name: string): Promise<ServerAccount | null> {
  const [user, group] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])]);
  const [uid, gid] = [Number(user.output.trim()), Number(group.output.trim())];
  if (!user.ok || !group.ok || !Number.isInteger(uid) || !Number.isInteger(gid) || uid === 0) return null;
  return { name, uid, gid };
}
