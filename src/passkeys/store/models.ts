import type { CertificationLevel } from '../../core/authenticator-policy.ts';
import { type Sql, sql } from '../../db/sql.ts';

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

/** Selects the models of the passkeys of a user. */
export const selectModelsOf = (userId: string): Sql => sql`
  select ${modelColumns} from latchkey.passkeys
  where passkeys.user_id = ${userId}::uuid
  order by passkeys.created_at, passkeys.id`;
