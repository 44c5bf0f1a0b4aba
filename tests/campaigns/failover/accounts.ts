import { createAuthService } from 'latchkey';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import postgres from 'postgres';
import type { PatroniCluster } from './patroni.ts';
import type { TwoServices } from './service.ts';
import { StepRecord } from './step-record.ts';
import { newAuthenticator, signUp } from './visits.ts';

/** The database of the application and its owner. The password is not secret, like those in patroni-settings.ts. */
export const databaseName = 'accounts';
export const credentials = 'accounts:accounts';

export async function createDatabase(cluster: PatroniCluster): Promise<void> {
  const [role, password] = credentials.split(':');
  const sql = postgres(await cluster.superuserUrl('postgres'), { max: 1, onnotice: () => {} });
  await sql.unsafe(`create role ${role} login password '${password}'`);
  await sql.unsafe(`create database ${databaseName} owner ${role}`);
  await sql.end();
}

/** Signs up a user, and makes this user a superadmin. Returns the passkey. */
export async function createSuperadmin(
  [service]: TwoServices,
  database: string,
  secret: string,
): Promise<SoftwareAuthenticator> {
  const authenticator = newAuthenticator();
  // The usernames of roles are reserved.
  const username = 'role-changer';
  const record = new StepRecord('before the load', false);
  if (!(await signUp(() => record, service.browser(), authenticator, username)))
    throw new Error('the sign-up of the superadmin failed');
  const auth = await createAuthService({ database, secret, env: {}, auditSequencer: false });
  await auth.asOperator('campaign').users.changeRole(username, 'superadmin');
  await auth.close();
  return authenticator;
}

/** Compares the audit log with its signed checkpoint. Returns the problems. */
export async function verifyAuditLog(database: string, secret: string): Promise<string[]> {
  const auth = await createAuthService({ database, secret, env: {}, auditSequencer: false });
  const { problems } = await auth.asOperator('campaign').audit.verify();
  await auth.close();
  return problems.map((problem) => `the audit log does not match its checkpoint: ${JSON.stringify(problem)}`);
}
