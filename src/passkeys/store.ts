import type { Caller } from '../core/actor.ts';
import type { CertificationLevel } from '../core/authenticator-policy.ts';
import { bounds } from '../core/bounds.ts';
import type { Role } from '../core/user.ts';
import { batchDeletion } from '../db/expired-rows.ts';
import { composeOnce, join, type Sql, sql } from '../db/sql.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import {
  fromUsers,
  leftJoinUser,
  leftJoinUserWithHandle,
  storedUsername,
  userColumns,
} from '../users/store.ts';
import type { UsernameLookup } from '../users/username-lookup.ts';
import { authenticatorName } from './authenticator-names.ts';
import type { CredentialDescriptor } from './decoys.ts';
import type { Passkey } from './passkey.ts';
import { type ModelRow, modelColumns } from './store/models.ts';
import type { StoredCredential, VerifiedAssertion } from './verify-assertion.ts';
import type { VerifiedRegistration } from './verify-registration.ts';

export interface PasskeyRow {
  passkey_id: string;
  label: string;
  aaguid: string;
  transports: string[];
  /** Null: unknown, because the passkey was imported and not used yet. */
  backup_eligible: boolean | null;
  backed_up: boolean;
  passkey_created_at: Timestamp;
  last_used_at: Timestamp | null;
  last_used_ip: string | null;
  last_used_user_agent: string | null;
  attested: boolean;
}

const passkeyColumns = sql`
  passkeys.id as passkey_id, passkeys.label, passkeys.aaguid, passkeys.transports, passkeys.backup_eligible,
  passkeys.backed_up, passkeys.created_at as passkey_created_at, passkeys.last_used_at,
  passkeys.last_used_ip, passkeys.last_used_user_agent, passkeys.attested`;

/** @param currentId the passkey to mark as current; null: none */
export const passkeyFromRow = (row: PasskeyRow, currentId: string | null): Passkey => ({
  id: row.passkey_id,
  label: row.label,
  provider: authenticatorName(row.aaguid),
  aaguid: row.aaguid,
  attested: row.attested,
  transports: row.transports,
  backupEligible: row.backup_eligible ?? false,
  backedUp: row.backed_up,
  createdAt: rfc3339(row.passkey_created_at),
  lastUsedAt: row.last_used_at && rfc3339(row.last_used_at),
  lastUsedIp: row.last_used_ip,
  lastUsedUserAgent: row.last_used_user_agent,
  current: row.passkey_id === currentId,
});

/**
 * The passkey that an assertion is verified against. If the credential is unknown, all columns except `holder_id` are
 * null.
 */
export interface CredentialRow extends Omit<ModelRow, 'backup_eligible'> {
  passkey_id: string | null;
  credential_id: string;
  public_key: string;
  counter: string | number;
  backup_eligible: boolean | null;
  user_handle: string;
  learns_user_handle: boolean;
  /** The id of the account with the user handle of the request. Also set if this account is already deleted. */
  holder_id: string | null;
}

export const storedCredentialFromRow = (row: CredentialRow): StoredCredential => ({
  credentialId: row.credential_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  backupEligible: row.backup_eligible,
  userHandle: row.learns_user_handle ? null : row.user_handle,
});

/**
 * Spends a challenge: stores its nonce, so that no other request can use the challenge. Returns a row only for the
 * first statement with the nonce (WebAuthn 13.4.3). The nonce stays stored for an hour. Every challenge expires
 * earlier, even if the clocks of two processes differ by minutes.
 */
const spendChallenge = (nonce: string): Sql => sql`
  insert into latchkey.spent_challenges (nonce, forget_at)
  values (${nonce}::text, latchkey.clock() + interval '1 hour')
  on conflict do nothing
  returning nonce`;

/**
 * Spends the challenge and reads three things in one round trip: the credential, its user, and the account with the
 * user handle. Always returns one row, so that the response time does not reveal whether the credential exists.
 */
export const spendAndSelectCredential = composeOnce(
  (nonce: string, credentialId: string, userHandle: string | null) => sql`
  with spent as (${spendChallenge(nonce)})
  select spent.nonce, passkeys.id as passkey_id, passkeys.credential_id, passkeys.public_key, passkeys.counter,
    ${modelColumns}, passkeys.learns_user_handle, coalesce(passkeys.user_handle, users.user_handle) as user_handle,
    holders.id as holder_id, ${userColumns}
  from (select 1 as one) as one
  left join spent on true
  left join latchkey.passkeys on passkeys.credential_id = ${credentialId}::text
  ${leftJoinUser(sql`passkeys.user_id`)}
  ${leftJoinUserWithHandle('holders', userHandle)}`,
);

/**
 * Spends the challenge and looks for the credential among all accounts (WebAuthn 7.1 step 26). Always returns one row.
 */
export const spendAndFindCredential = (nonce: string, credentialId: string): Sql => sql`
  with spent as (${spendChallenge(nonce)})
  select spent.nonce, passkeys.id as known_passkey_id
  from (select 1 as one) as one
  left join spent on true
  left join latchkey.passkeys on passkeys.credential_id = ${credentialId}::text`;

export interface NewPasskey extends VerifiedRegistration {
  id: string;
  userId: string;
  label: string;
}

/** @param source `from(cte)`: stores the passkey only if that CTE returned a row */
export const insertPasskey = (passkey: NewPasskey, source = sql``): Sql => sql`
  insert into latchkey.passkeys
    (id, user_id, credential_id, public_key, counter, transports, aaguid, backup_eligible, backed_up, label, created_at,
     attested, attestation_format, attestation_root, certification, attestation_certificates)
  select
    ${passkey.id}::uuid, ${passkey.userId}::uuid, ${passkey.credentialId}::text, ${passkey.publicKey}::text,
    ${passkey.counter}::bigint, ${JSON.stringify(passkey.transports)}::text::jsonb, ${passkey.aaguid}::uuid,
    ${passkey.backupEligible}::boolean, ${passkey.backedUp}::boolean, ${passkey.label}::text, latchkey.clock(),
    ${passkey.attestation?.attested ?? false}::boolean, ${passkey.attestation?.format ?? null}::text,
    ${passkey.attestation?.root ?? null}::text, ${passkey.attestation?.certification ?? null}::text,
    ${passkey.attestation?.certificates ? JSON.stringify(passkey.attestation.certificates) : null}::text::jsonb
  ${source}
  returning ${passkeyColumns}`;

/**
 * Records the use of a passkey (WebAuthn 7.2 step 24). Repeats the check of the counter, because a concurrent assertion
 * may have stored a higher value. For an imported passkey, stores the values that were unknown. A concurrent assertion
 * may have stored another user handle, so the statement checks that the user handle is still unknown.
 */
export const recordUse = (
  passkeyId: string,
  { counter, backedUp, backupEligible, learnedUserHandle }: VerifiedAssertion,
  { ip, userAgent }: Caller,
  source: Sql,
): Sql => sql`
  update latchkey.passkeys
  set counter = ${counter}::bigint, backed_up = ${backedUp}::boolean, last_used_at = latchkey.clock(),
    last_used_ip = ${ip}::text, last_used_user_agent = ${userAgent}::text,
    backup_eligible = ${backupEligible}::boolean, user_handle = coalesce(${learnedUserHandle}::text, user_handle),
    learns_user_handle = learns_user_handle and ${learnedUserHandle}::text is null
  where id = ${passkeyId}::uuid
    and (counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))
    and (learns_user_handle or ${learnedUserHandle}::text is null)
    ${source}
  returning id`;

export const selectCounter = (passkeyId: string): Sql => sql`
  select passkeys.counter from latchkey.passkeys where passkeys.id = ${passkeyId}::uuid`;

export const selectByUser = (userId: string): Sql => sql`
  select ${passkeyColumns} from latchkey.passkeys
  where passkeys.user_id = ${userId}::uuid
  order by passkeys.created_at, passkeys.id`;

export interface PasskeyToExportRow extends PasskeyRow {
  credential_id: string;
  public_key: string;
  counter: string | number;
  user_handle: string | null;
  attestation_format: string | null;
  attestation_root: string | null;
  certification: CertificationLevel | null;
  attestation_certificates: string[] | null;
}

export const selectToExport = (userId: string): Sql => sql`
  select ${passkeyColumns}, passkeys.credential_id, passkeys.public_key, passkeys.counter, passkeys.user_handle,
    passkeys.attestation_format, passkeys.attestation_root, passkeys.certification, passkeys.attestation_certificates
  from latchkey.passkeys
  where passkeys.user_id = ${userId}::uuid
  order by passkeys.created_at, passkeys.id`;

/** A passkey, with columns of its account. The passkey's columns are null if the account has no passkey. */
export interface AccountPasskeyRow {
  version: number;
  role: Role;
  has_password: boolean;
  user_handle: string;
  passkey_id: string | null;
  label: string;
  credential_id: string;
  transports: string[];
}

const accountPasskeys = sql`
  select users.version, users.role, users.password_hash is not null as has_password, users.user_handle,
    passkeys.id as passkey_id, passkeys.label, passkeys.credential_id, passkeys.transports
  ${fromUsers}
  left join latchkey.passkeys on passkeys.user_id = users.id`;

/**
 * The passkeys and the version of an account. A statement that depends on all passkeys writes only if the version is
 * unchanged.
 */
export const selectOfAccount = (userId: string): Sql => sql`
  ${accountPasskeys} where users.id = ${userId}::uuid order by passkeys.created_at, passkeys.id`;

/** Limits the rows, because anybody can start a sign-in with any username, and the response contains each passkey. */
export const selectOfUsername = (lookup: UsernameLookup): Sql => sql`
  ${accountPasskeys} where users.username = ${storedUsername(lookup)} order by passkeys.created_at, passkeys.id
  limit ${bounds.passkeys}::integer`;

/** The passkeys in the rows as credential descriptors. */
export const descriptorsFromRows = (rows: readonly AccountPasskeyRow[]): CredentialDescriptor[] =>
  rows
    .filter(({ passkey_id }) => passkey_id !== null)
    .map(({ credential_id: id, transports }) => ({ id, transports }));

export const countByUser = (userId: string): Sql => sql`
  select count(*) as passkeys from latchkey.passkeys where user_id = ${userId}::uuid`;

/** Counts the passkeys of each user. Returns no row for a user without passkeys. */
export const countPasskeysOf = (userIds: readonly string[]): Sql => sql`
  select passkeys.user_id, count(*) as passkeys from latchkey.passkeys
  where passkeys.user_id = any(string_to_array(${userIds.join()}::text, ',')::uuid[])
  group by passkeys.user_id`;

/** @param condition a condition on an earlier CTE, such as `andExists('live')` */
export const updateLabel = (userId: string, passkeyId: string, label: string, condition: Sql): Sql => sql`
  update latchkey.passkeys set label = ${label}::text
  where id = ${passkeyId}::uuid and user_id = ${userId}::uuid ${condition}
  returning ${passkeyColumns}`;

/** @param condition as in `updateLabel` */
export const deletePasskey = (userId: string, passkeyId: string, condition: Sql): Sql => sql`
  delete from latchkey.passkeys
  where id = ${passkeyId}::uuid and user_id = ${userId}::uuid ${condition}
  returning id as removed_id`;

/**
 * @param passkeyIds at least one id
 * @param condition as in `updateLabel`
 */
export const deletePasskeys = (userId: string, passkeyIds: readonly string[], condition: Sql): Sql => sql`
  delete from latchkey.passkeys
  where user_id = ${userId}::uuid and id in (${join(passkeyIds.map((id) => sql`${id}::uuid`))}) ${condition}
  returning id as removed_id`;

/** Deletes all passkeys of an account. @param condition as in `updateLabel` */
export const deletePasskeysOf = (userId: string, condition: Sql): Sql => sql`
  delete from latchkey.passkeys where user_id = ${userId}::uuid ${condition} returning id`;

export const deleteExpiredChallenges = batchDeletion({
  table: 'latchkey.spent_challenges',
  key: 'nonce',
  expiry: 'forget_at',
});
