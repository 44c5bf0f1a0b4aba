import type { CertificationLevel } from '../../core/authenticator-policy.ts';
import type { Role } from '../../core/user.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { selectActiveAfter } from '../../users/store/figures.ts';

/** What the row of a passkey tells about its authenticator. */
export interface ModelRow {
  aaguid: string;
  transports: string[];
  backup_eligible: boolean | null;
  attested: boolean;
  attestation_format: string | null;
  certification: CertificationLevel | null;
}

export const modelColumns = sql`
  passkeys.aaguid, passkeys.transports, passkeys.backup_eligible, passkeys.attested, passkeys.attestation_format,
  passkeys.certification`;

export const passkeyOfModel = (row: ModelRow) => ({
  aaguid: row.aaguid,
  transports: row.transports,
  backupEligible: row.backup_eligible,
  attestation:
    row.attestation_format === null
      ? null
      : { format: row.attestation_format, attested: row.attested, certification: row.certification },
});

/** Selects the models and the labels of the passkeys of a user. */
export const selectModelsOf = (userId: string): Sql => sql`
  select passkeys.label, ${modelColumns} from latchkey.passkeys
  where passkeys.user_id = ${userId}::uuid
  order by passkeys.created_at, passkeys.id`;

/** A passkey with its user, for a comparison with the policy. */
export interface PasskeyToTestRow extends ModelRow {
  id: string;
  label: string;
  user_id: string;
  username: string;
  role: Role;
  has_password: boolean;
}

/**
 * Selects the passkeys of the next active users.
 *
 * @param after the id of the last user of the previous batch
 */
export const selectPasskeysToTest = (after: string, mostUsers: number): Sql => sql`
  select passkeys.id, passkeys.label, passkeys.user_id, tested.username, tested.role, tested.has_password,
    ${modelColumns}
  from (${selectActiveAfter(after, mostUsers)}) as tested
  join latchkey.passkeys on passkeys.user_id = tested.id
  where passkeys.user_id > ${after}::uuid`;
