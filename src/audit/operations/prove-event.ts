import type { Runtime } from '../../core/runtime.ts';
import { awaitStandby } from '../../db/confirm-answer.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { readCheckpoint } from '../log/checkpoint.ts';
import { lastCosignature } from '../log/last-cosignature.ts';
import { type LogKeys, logKeysOf } from '../log/log-keys.ts';
import { NoteError, openNote, readNote, readVerifierKey, verifierKey } from '../log/note.ts';
import { proveInclusion } from '../log/proof.ts';
import { proofText } from '../log/proof-text.ts';
import { entryOf, rowOf, tileOf } from '../log/stored.ts';
import { readFrom, tilesOf } from '../log/tiles.ts';
import { createWitnessKeys } from '../log/witness-keys.ts';
import {
  type EntryRow,
  type LogRow,
  selectEntryOf,
  selectLog,
  selectTiles,
  type TileRow,
} from '../store/verification.ts';
import type { AuditReader } from './read-events.ts';
import { requireWholeLog } from './read-feed.ts';
import { refuseUnentitled } from './refuse-unentitled.ts';

/**
 * Returns a file that proves to others that an event is in the log (C2SP tlog-proof). It contains the event, also the
 * fields that admins do not see, so only an actor who can read the whole log gets it. Null: the log has no such event, or
 * no entry for it yet.
 *
 * @throws AuthError `forbidden` for an actor who can read only a part of the log
 */
export async function proveEvent(runtime: Runtime, by: AuditReader, eventId: string): Promise<string | null> {
  requireWholeLog(by);
  const { config, db } = runtime;
  const [found] = await db.query<EntryRow>(selectEntryOf(eventId));
  const [log] = await db.query<LogRow>(selectLog);
  if (!found || !log?.note) return null;
  const index = Number(found.position);
  const keys = logKeysOf(config);
  const cosigned = cosignedNote(log, keys);
  const note = cosigned !== null && sizeOf(cosigned) > index ? cosigned : log.note;
  const size = sizeOf(note);
  const prove = (readHash: Parameters<typeof proveInclusion>[2]) => proveInclusion(index, size, readHash);
  const tiles = await db.query<TileRow>(selectTiles(tilesOf(prove)));
  const hashes = prove(readFrom(tiles.map(tileOf)));
  // After the event, because the actor can lose the right to read it at any time before.
  if ((await db.query(by.stillEntitled)).length === 0)
    return refuseUnentitled(runtime, by, { event: 'audit.list' });
  // A failover must not lose a checkpoint that leaves the service.
  await awaitStandby(runtime);
  return proofText({ index, row: rowOf(found), entry: entryOf(found), hashes, note });
}

const sizeOf = (note: string) => readCheckpoint(readNote(note).text).size;

/** Returns the newest checkpoint, with the cosignature of the witness if it has one. Null: the log is empty. */
export function newestNote(log: LogRow, keys: LogKeys): string | null {
  const cosigned = cosignedNote(log, keys);
  return cosigned !== null && log.note !== null && sizeOf(cosigned) === sizeOf(log.note)
    ? cosigned
    : log.note;
}

/** Returns the newest checkpoint with the cosignature of a witness. Null: there is none of this log. */
function cosignedNote({ origin, cosigned_note }: LogRow, keys: LogKeys): string | null {
  if (origin === null || cosigned_note === null) return null;
  try {
    openNote(cosigned_note, keys.verifiers(origin));
    return cosigned_note;
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}

/** The newest state of the audit log that is signed. */
export interface AuditCheckpoint {
  /** The identifier of the log. Null: the log is empty. */
  origin: string | null;
  /** How many events the log has. */
  size: number;
  /** The signed checkpoint (C2SP tlog-checkpoint), with the cosignature of the witness if it has one. Null: the log is empty. */
  note: string | null;
  /**
   * The public keys of the log, the newest first. `checkAuditProof`, `audit.verify` and `auditVerifierKeys` take them.
   * Empty: the log is empty, or no key of this process has signed the checkpoint.
   */
  keys: readonly string[];
  /** The witness of the configuration, and when it last cosigned (RFC 3339; null: never). Null: there is no witness. */
  witness: { name: string; cosignedAt: string | null } | null;
  /** The public keys with which this service cosigns other logs, the newest first. Empty: it is not a witness. */
  witnessKeys: readonly string[];
}

export async function readAuditCheckpoint(
  { config, db }: Pick<Runtime, 'config' | 'db'>,
  _by: Entitled<'audit:read'>,
): Promise<AuditCheckpoint> {
  const [log] = await db.query<LogRow>(selectLog);
  // A failover must not lose a checkpoint that leaves the service.
  await awaitStandby({ db });
  const keys = logKeysOf(config);
  const origin = log?.origin ?? null;
  return {
    origin,
    size: Number(log?.size ?? 0),
    note: log ? newestNote(log, keys) : null,
    keys: log === undefined ? [] : keysOf(log, keys),
    witness: config.auditLog.witness && witnessOf(config.auditLog.witness.key, log),
    witnessKeys:
      config.auditLog.witnessFor.length === 0
        ? []
        : createWitnessKeys(config.secrets, config.rpId).verifiers().map(verifierKey),
  };
}

function witnessOf(key: string, log: LogRow | undefined): AuditCheckpoint['witness'] {
  const at = log === undefined ? null : (lastCosignature(key, log)?.at ?? null);
  return { name: readVerifierKey(key).name, cosignedAt: at === null ? null : new Date(at).toISOString() };
}

/** If none of the keys has signed the log, another process signs it, and readers could not verify it with these keys. */
function keysOf({ origin, note }: LogRow, keys: LogKeys): string[] {
  if (origin === null || note === null) return [];
  const verifiers = keys.verifiers(origin);
  try {
    openNote(note, verifiers);
    return verifiers.map(verifierKey);
  } catch (error) {
    if (error instanceof NoteError) return [];
    throw error;
  }
}
