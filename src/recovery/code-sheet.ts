import type { Runtime } from '../core/runtime.ts';
import { rfc3339, type Timestamp } from '../db/timestamp.ts';
import { codeHashes, codeKeyIds, newRecoveryCode } from './code.ts';
import type { RecoveryCodes } from './recovery.ts';
import type { NewCodes } from './store.ts';

const secondsInDay = 24 * 60 * 60;

/** A new sheet of recovery codes: the codes to show once, and what is stored of them. */
export interface CodeSheet {
  codes: string[];
  stored: NewCodes;
}

/** Makes as many codes as the configuration says. Nothing is stored yet. */
export function newCodeSheet({ config, sealer }: Runtime, userId: string): CodeSheet {
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

/** The sheet as it is answered. @param expiresAt as the database stored it; null: the codes do not expire */
export const shownSheet = ({ codes }: CodeSheet, expiresAt: Timestamp | null): RecoveryCodes => ({
  codes,
  total: codes.length,
  expiresAt: expiresAt && rfc3339(expiresAt),
});

/** The audit entry of a new sheet. */
export const sheetEntry = ({ codes }: CodeSheet, { id, username }: { id: string; username: string }) =>
  ({
    event: 'recovery_code.generate',
    outcome: 'success',
    target: { type: 'user', id, name: username },
    details: { total: codes.length },
  }) as const;
