import { createLogKeys } from '../../audit/log/log-keys.ts';
import { NoteError, openNote } from '../../audit/log/note.ts';
import { type LogRow, selectLog } from '../../audit/store/verification.ts';
import type { Configuration } from '../../core/config.ts';
import type { Runtime } from '../../core/runtime.ts';
import { createSealer } from '../../core/sealing.ts';
import { milliseconds } from '../../db/timestamp.ts';
import { type CodesByKeyRow, countCodesByKey } from '../../recovery/store.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { countPasswordsByKey, type PasswordsByKeyRow } from '../../users/store/password-keys.ts';
import { isSealedWith } from '../../webhooks/secrets.ts';
import { selectWebhooks, type WebhookRow } from '../../webhooks/store.ts';
import type { SecretUse, SecretUses } from '../secret-uses.ts';

/** Counts the stored values that need each secret, so that an operator knows when to remove an earlier one. */
export async function readSecretUses(
  { config, db, sealer }: Pick<Runtime, 'config' | 'db' | 'sealer'>,
  _by: Entitled<'user:read'>,
): Promise<SecretUses> {
  const [passwords, codes, webhooks, [log]] = await Promise.all([
    db.query<PasswordsByKeyRow>(countPasswordsByKey),
    db.query<CodesByKeyRow>(countCodesByKey),
    db.query<WebhookRow>(selectWebhooks),
    db.query<LogRow>(selectLog),
  ]);
  const sealers = config.secrets.map((secret) => createSealer([secret]));
  const passwordKeys = sealer.keyIds('password');
  const codeKeys = sealer.keyIds('recovery_code');

  /** @param place the index of a secret, or -1 for the secrets that were removed */
  function useOf(place: number): SecretUse {
    const ownCodes = codes.filter(({ key_id }) => codeKeys.indexOf(key_id) === place);
    return {
      passwords: passwords
        .filter(({ key_id }) => passwordKeys.indexOf(key_id) === place)
        .reduce((sum, { users }) => sum + users, 0),
      recoveryCodes: ownCodes.reduce((sum, row) => sum + row.codes, 0),
      recoveryCodesExpireAt: lastExpiry(ownCodes),
      webhooks: webhooks
        .filter((row) => sealers.findIndex((one) => isSealedWith(one, row)) === place)
        .map(({ webhook_name }) => webhook_name),
    };
  }
  return {
    secrets: config.secrets.map((_, place) => useOf(place)),
    removed: useOf(-1),
    auditLogSigned: hasSigned(config, log),
  };
}

function lastExpiry(rows: readonly CodesByKeyRow[]): string | null {
  const times = rows.map(({ last_expiry }) => last_expiry && milliseconds(last_expiry));
  if (times.length === 0 || times.includes(null)) return null;
  return new Date(Math.max(...(times as number[]))).toISOString();
}

/** A log that has its own signing keys does not need the secrets. */
function hasSigned({ secrets, auditLog }: Configuration, log: LogRow | undefined): boolean {
  const hasOwnKeys = auditLog.signingKeys.length > 0 || auditLog.verifierKeys.length > 0;
  if (hasOwnKeys || log === undefined || log.origin === null || log.note === null) return true;
  try {
    openNote(log.note, createLogKeys([secrets[0]]).verifiers(log.origin));
    return true;
  } catch (error) {
    if (error instanceof NoteError) return false;
    throw error;
  }
}
