import { v7 as uuid } from 'uuid';
import { minute } from '../core/duration.ts';
import { AuthError } from '../core/errors.ts';
import { mergeFields } from '../core/field-set.ts';
import type { Runtime } from '../core/runtime.ts';
import { lowestRole } from '../core/user.ts';
import type { StoredFields } from '../core/user-fields.ts';
import { authenticatorName } from '../passkeys/authenticator-names.ts';
import type { ImportedCredential } from '../passkeys/imported-credential.ts';
import { assertAcceptableKey } from '../passkeys/public-key.ts';
import { CeremonyError } from '../passkeys/refusal.ts';
import { labelFor } from '../passkeys/rules.ts';
import { importedHash } from '../password/stored-hash.ts';
import { skeletonOf } from '../users/look-alikes.ts';
import { canonicalUsername } from '../users/rules.ts';
import { newUserHandle } from '../users/user-handle.ts';
import type { Candidate, Obstacle } from './candidate.ts';
import type { ParsedPasskey, ParsedUser } from './record-schema.ts';

class Refused extends Error {
  readonly obstacle: Obstacle;
  constructor(reason: Obstacle['reason'], path: string, message: string) {
    super(message);
    this.obstacle = { reason, path, message };
  }
}

/**
 * Checks everything about a user of another system that does not depend on other users.
 *
 * @throws TypeError or Error for a mistake in the application's functions
 */
export async function checkRecord(
  runtime: Runtime,
  given: ParsedUser,
): Promise<{ candidate: Candidate } | { obstacle: Obstacle }> {
  try {
    return { candidate: await candidateOf(runtime, given) };
  } catch (error) {
    if (error instanceof Refused) return { obstacle: error.obstacle };
    throw error;
  }
}

async function candidateOf(runtime: Runtime, given: ParsedUser): Promise<Candidate> {
  const { username, problem } = canonicalUsername(given.username, runtime.config.usernames);
  if (problem === 'reserved')
    throw new Refused('username_unacceptable', 'username', 'this username is reserved, or looks like one');
  if (problem !== null)
    throw new Refused(
      'username_unacceptable',
      'username',
      'expected a username that the option `usernames` allows',
    );
  const role = given.role ?? lowestRole;
  if (role === 'superadmin')
    throw new Refused('role_not_allowed', 'role', 'expected user or admin; change the role after the import');
  refuseFuture(runtime, 'createdAt', given.createdAt);
  const id = uuid();
  const account = {
    id,
    username,
    skeleton: skeletonOf(username),
    display_name: given.displayName ?? null,
    user_handle: given.userHandle ?? newUserHandle(),
    role,
    status: given.status ?? ('active' as const),
    password_hash: hashOf(runtime, given),
    fields: await fieldsOf(runtime, given),
    created_at: given.createdAt ?? null,
  };
  const passkeys: ImportedCredential[] = [];
  for (const [index, passkey] of (given.passkeys ?? []).entries())
    passkeys.push(await passkeyOf(runtime, { id, given }, passkey, `passkeys.${index}`));
  if (new Set(passkeys.map(({ credential_id }) => credential_id)).size < passkeys.length)
    throw new Refused('invalid_record', 'passkeys', 'expected passkeys with different credential ids');
  const byDefault = `username:${username}`;
  const sourceId = given.sourceId ?? byDefault;
  // Otherwise, the import would skip the record without a sourceId that has this id by default.
  if (sourceId.startsWith('username:') && sourceId !== byDefault)
    throw new Refused(
      'invalid_record',
      'sourceId',
      `expected ${byDefault}, or an id without username: before it`,
    );
  return { account, passkeys, sourceId };
}

/** The clock of the other system can differ by a minute. */
function refuseFuture({ clock }: Runtime, path: string, time: string | null | undefined): void {
  if (time != null && Date.parse(time) > clock().getTime() + minute)
    throw new Refused('invalid_record', path, 'expected a time that is not in the future');
}

const hashProblems = {
  form: 'expected at most 1024 printable ASCII characters of a hash from another system',
  cost: 'expected a bcrypt hash with a cost of at most 16',
  no_verifier: 'expected a bcrypt hash, or a hash that the option `password` accepts',
} as const;

function hashOf({ config: { hashVerifier } }: Runtime, { password }: ParsedUser): string | null {
  if (password == null) return null;
  const accepts = (hash: string) => hashVerifier?.accepts(hash) ?? false;
  const result = importedHash(password.hash, accepts);
  if ('stored' in result) return result.stored;
  throw new Refused('hash_unsupported', 'password.hash', hashProblems[result.problem]);
}

async function fieldsOf(runtime: Runtime, { fields }: ParsedUser): Promise<StoredFields> {
  if (fields == null) return {};
  try {
    return mergeFields({}, await runtime.fields.check('operator', fields)).fields;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    const [fault] = error.errors ?? [];
    throw new Refused('field_invalid', fault?.path ?? 'fields', fault?.message ?? error.message);
  }
}

/** An authenticator that hides its model has this AAGUID, too (WebAuthn 6.5.1). */
const unknownAaguid = '00000000-0000-0000-0000-000000000000';

async function passkeyOf(
  runtime: Runtime,
  { id, given: user }: { id: string; given: ParsedUser },
  given: ParsedPasskey,
  path: string,
): Promise<ImportedCredential> {
  await requireKey(given.publicKey, `${path}.publicKey`);
  refuseFuture(runtime, `${path}.createdAt`, given.createdAt);
  refuseFuture(runtime, `${path}.lastUsedAt`, given.lastUsedAt);
  const backedUp = given.backedUp ?? false;
  if (backedUp && given.backupEligible === false)
    throw new Refused(
      'invalid_record',
      `${path}.backedUp`,
      'expected false, because backupEligible is false',
    );
  const aaguid = given.aaguid?.toLowerCase() ?? unknownAaguid;
  const known = given.userHandle ?? user.userHandle ?? null;
  return {
    id: uuid(),
    user_id: id,
    credential_id: given.credentialId,
    public_key: given.publicKey,
    counter: given.counter ?? 0,
    transports: [...new Set(given.transports ?? [])],
    aaguid,
    // Only a passkey that can be synced is synced (WebAuthn 6.1.3).
    backup_eligible: given.backupEligible ?? (backedUp || null),
    backed_up: backedUp,
    label: labelFor(given.label ?? undefined, authenticatorName(aaguid)),
    user_handle: known === user.userHandle ? null : known,
    learns_user_handle: known === null,
    created_at: given.createdAt ?? user.createdAt ?? null,
    last_used_at: given.lastUsedAt ?? null,
  };
}

async function requireKey(publicKey: string, path: string): Promise<void> {
  const bytes = Buffer.from(publicKey, 'base64url');
  try {
    if (bytes.toString('base64url') !== publicKey) throw new CeremonyError('public_key_unacceptable');
    await assertAcceptableKey(bytes);
  } catch (error) {
    if (!(error instanceof CeremonyError)) throw error;
    throw new Refused(
      'passkey_unsupported',
      path,
      'expected a COSE key for ES256, EdDSA (Ed25519) or RS256 as base64url without padding',
    );
  }
}
