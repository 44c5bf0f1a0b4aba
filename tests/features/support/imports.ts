import { randomBytes } from 'node:crypto';
import bcrypt from 'bcrypt';
import type { ImportedPasskey, ImportedUser, ImportOptions, ImportReport, RefusedUser } from 'latchkey';
import type { SoftwareAuthenticator } from 'latchkey/testing';
import { newAuthenticator, newUsername } from '../../support/person.ts';
import type { TestService } from '../../support/test-service.ts';

export async function importAll(
  { auth }: Pick<TestService, 'auth'>,
  records: Iterable<unknown> | AsyncIterable<unknown>,
  options: ImportOptions = {},
): Promise<ImportReport & { all: RefusedUser[] }> {
  const all: RefusedUser[] = [];
  const report = await auth.asOperator('mover').users.import(records as Iterable<ImportedUser>, {
    ...options,
    onRefused: (refused) => all.push(refused),
  });
  return { ...report, all };
}

/** Imports one record. Throws the reason if it is refused. */
export async function importOne(service: Pick<TestService, 'auth'>, record: ImportedUser): Promise<void> {
  const { all } = await importAll(service, [record]);
  for (const { reason, message } of all) throw new Error(`${reason}: ${message}`);
}

/** Imports one record. Returns the reason and the message of the refusal. Null: the record is imported. */
export async function refusalOf(
  service: Pick<TestService, 'auth'>,
  record: unknown,
): Promise<Pick<RefusedUser, 'reason' | 'message'> | null> {
  const { all } = await importAll(service, [record]);
  const [refused] = all;
  return refused ? { reason: refused.reason, message: refused.message } : null;
}

/** A user with only a username. */
export const importedUser = (more: Partial<ImportedUser> = {}): ImportedUser => ({
  username: newUsername('moved'),
  ...more,
});

export const bcryptHash = (password: string, prefix = '$2b$', cost = 4): string =>
  bcrypt.hashSync(password, cost).replace('$2b$', prefix);

export const newHandle = (bytes = 16): string => randomBytes(bytes).toString('base64url');

/**
 * A passkey that another system created, and the record that the system stores. `userHandle` is what the authenticator
 * returns.
 */
export interface ForeignPasskey {
  authenticator: SoftwareAuthenticator;
  record: ImportedPasskey;
  userHandle: string;
}

/** Creates a passkey in another system for the same RP id. */
export async function foreignPasskey({
  authenticator = newAuthenticator(),
  userHandle = newHandle(),
} = {}): Promise<ForeignPasskey> {
  await authenticator.create({
    rp: { id: 'localhost', name: 'The old system' },
    user: { id: userHandle, name: 'someone', displayName: 'Someone' },
    challenge: newHandle(32),
    pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
  });
  const created = authenticator.credentials.at(-1);
  if (!created) throw new Error('the authenticator has no passkey');
  const record = {
    credentialId: created.id,
    publicKey: Buffer.from(created.publicKey).toString('base64url'),
    counter: created.counter,
    transports: created.transports,
    backupEligible: created.backupEligible,
    backedUp: created.backedUp,
  };
  return { authenticator, record, userHandle };
}
