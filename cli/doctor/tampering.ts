import type { AuditCheckpoint, AuditVerification } from 'latchkey';
import type { Check } from './check.ts';

const name = 'Audit log';
const toleranceMs = 5 * 60_000;

/** Checks the newest part of the audit log. */
export function examineTampering({ ok, size, from, problems, problemCount }: AuditVerification): Check[] {
  if (size === 0 && ok) return [];
  if (ok)
    return [
      { name, level: 'ok', message: `the newest ${size - from} of ${size} entries are as they were signed` },
    ];
  return [
    {
      name,
      level: 'error',
      message: `${problems[0]?.message ?? ''}${problemCount > 1 ? ` (${problemCount} problems)` : ''}`,
      why: 'Someone with access to the database has changed the audit log, an older copy of it was restored, or the doctor does not know the key of the process that signs.',
      fix: 'To see all problems, run: latchkey audit verify. After a restore, run: latchkey audit new-log --reason=<text>. If another process signs, set AUDIT_VERIFIER_KEYS to the keys that `latchkey audit checkpoint` prints with its configuration',
    },
  ];
}

/** Checks whether the witness still cosigns. */
export function examineWitness(witness: AuditCheckpoint['witness'], now: Date): Check[] {
  if (witness === null) return [];
  const { name: witnessName, cosignedAt } = witness;
  if (cosignedAt !== null && now.getTime() - Date.parse(cosignedAt) <= toleranceMs)
    return [{ name: 'Witness', level: 'ok', message: `${witnessName} cosigned at ${cosignedAt}` }];
  return [
    {
      name: 'Witness',
      level: 'warning',
      message:
        cosignedAt === null
          ? `${witnessName} has never cosigned the audit log`
          : `${witnessName} last cosigned the audit log at ${cosignedAt}`,
      why: 'Without new cosignatures, the removal of the newest events goes unnoticed.',
      fix: 'Read the warnings in the log of the service. Check that AUDIT_WITNESS_URL is reachable, and that the witness knows the public key of the log',
    },
  ];
}
