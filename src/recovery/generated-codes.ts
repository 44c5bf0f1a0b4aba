import type { Runtime } from '../core/runtime.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import { codeHashes, codeKeyIds, newRecoveryCode } from './code.ts';
import type { RecoveryCodes } from './recovery.ts';
import type { NewCodes } from './store.ts';

const secondsInDay = 24 * 60 * 60;

/** New recovery codes: the codes to show only once, and their hashes to store. */
export interface GeneratedCodes {
  codes: string[];
  stored: NewCodes;
}

/** Creates `maxRecoveryCodes` codes. Does not store them. */
export function newRecoveryCodes({ config, sealer }: Runtime, userId: string): GeneratedCodes {
  const codes = Array.from({ length: config.maxRecoveryCodes }, newRecoveryCode);
  return {
    codes,
    stored: {
      userId,
      hashes: codes.map((code) => codeHashes(sealer, code)[0]),
      keyId: codeKeyIds(sealer)[0],
      expirySeconds:
        config.recoveryCodeExpiryDays === 0 ? null : config.recoveryCodeExpiryDays * secondsInDay,
    },
  };
}

/** The codes as the API returns them. @param expiresAt null: the codes do not expire */
export const toRecoveryCodes = ({ codes }: GeneratedCodes, expiresAt: Timestamp | null): RecoveryCodes => ({
  codes,
  total: codes.length,
  expiresAt: expiresAt && rfc3339(expiresAt),
});

/** The audit event of new recovery codes. */
export const codesGeneratedEntry = (
  { codes }: GeneratedCodes,
  { id, username }: { id: string; username: string },
) =>
  ({
    event: 'recovery_code.generate',
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: { total: codes.length },
  }) as const;
