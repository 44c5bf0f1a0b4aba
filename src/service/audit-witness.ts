import { type Checkpoint, readCheckpoint } from '../audit/log/checkpoint.ts';
import { appendCheckpoint, originIn, readLastCheckpoints } from '../audit/log/checkpoint-file.ts';
import { type Continuity, createContinuity, readConsistencyProof } from '../audit/log/continuity.ts';
import { logKeysOf } from '../audit/log/log-keys.ts';
import { NoteError, openNote } from '../audit/log/note.ts';
import { createWitnessClient, WitnessError } from '../audit/log/witness-client.ts';
import { keepCosignedNote, type LogRow, selectLog } from '../audit/store/verification.ts';
import { minute, second } from '../core/duration.ts';
import { createPauses } from '../core/pauses.ts';
import type { Runtime } from '../core/runtime.ts';
import { awaitStandby } from '../db/confirm-answer.ts';

const every = minute;
/** The pause before the first round. Shorter than that of the alarm, which reads the cosignature of this round. */
const firstPause = 10 * second;

/** Keeps checkpoints of the audit log outside of the database. */
export interface AuditWitness {
  /** What the sequencer compares the log with before it signs. */
  readonly continuity: Continuity;
  /** Writes the newest checkpoint to the log of the service and to the file, and asks the witness to cosign it. */
  round(): Promise<void>;
  stop(): Promise<void>;
}

type Needs = Pick<Runtime, 'config' | 'db' | 'log' | 'clock'>;

/**
 * Every minute, asks the witness to cosign the newest checkpoint. If the audit log has grown or an hour has passed, also
 * writes the checkpoint to the log of the service and to `auditCheckpointFile`. An attacker with access to the database
 * cannot change these copies. Does not keep the process running.
 */
export function startAuditWitness(runtime: Needs): AuditWitness {
  const { round, continuity } = createAuditWitness(runtime);
  const pauses = createPauses();
  async function run(): Promise<void> {
    for (let pause = firstPause; await pauses.take(pause); pause = every) await round();
  }
  const running = run();
  return {
    continuity,
    round,
    stop: () => {
      pauses.end();
      return running;
    },
  };
}

export function createAuditWitness({ config, db, log, clock }: Needs): Omit<AuditWitness, 'stop'> {
  const { checkpointFile, witness } = config.auditLog;
  const keys = logKeysOf(config);
  const seen = createContinuity(db);
  const continuity: Continuity = {
    ...seen,
    compare: async (signed) => {
      await compareWithFile();
      await seen.compare(signed);
    },
  };
  const client =
    witness && createWitnessClient(witness, (oldSize, size) => readConsistencyProof(db, oldSize, size));
  let written: { note: string; at: number } | null = null;
  let hasReadFile = checkpointFile === null;

  const opened = (note: string, origin: string): Checkpoint =>
    readCheckpoint(openNote(note, keys.verifiers(origin)).text);

  async function round(): Promise<void> {
    try {
      const [row] = await db.query<LogRow>(selectLog);
      if (!row?.note || row.origin === null) return;
      const checkpoint = opened(row.note, row.origin);
      // A failover must not lose a checkpoint that this process remembers or that leaves it. Otherwise, the log would seem
      // to be shortened.
      await awaitStandby({ db });
      await continuity.compare(checkpoint);
      for (const keep of [write, cosign]) await keep(row.note, checkpoint).catch(report);
    } catch (error) {
      report(error);
    }
  }

  const report = (error: unknown) =>
    log.error({ err: error }, 'cannot keep the checkpoint of the audit log outside of the database');

  /**
   * After a start, the file says what the service has signed before. The last log in the file is the newest one that is
   * known, and has replaced the others.
   */
  async function compareWithFile(): Promise<void> {
    if (hasReadFile || checkpointFile === null) return;
    const notes = await readLastCheckpoints(checkpointFile);
    hasReadFile = true;
    for (const note of notes) {
      try {
        seen.remember(opened(note, originIn(note)));
      } catch (error) {
        if (!(error instanceof NoteError)) throw error;
        // After the rotation of a key, former logs have a key that is not known any more.
        if (note !== notes.at(-1)) continue;
        log.warn(
          { err: error, file: checkpointFile },
          'no key of this service has signed the last checkpoint in the file',
        );
      }
    }
  }

  async function write(note: string, { origin, size }: Checkpoint): Promise<void> {
    const now = clock().getTime();
    if (written?.note === note && now - written.at < 60 * minute) return;
    log.info({ origin, size, note }, 'checkpoint of the audit log');
    if (checkpointFile !== null) await appendCheckpoint(checkpointFile, note, new Date(now));
    written = { note, at: now };
  }

  async function cosign(note: string, checkpoint: Checkpoint): Promise<void> {
    if (!client) return;
    try {
      await db.query(keepCosignedNote(checkpoint.origin, await client.cosign(note, checkpoint)));
    } catch (error) {
      if (!(error instanceof WitnessError)) throw error;
      log.warn({ err: error }, 'the witness has not cosigned the checkpoint of the audit log');
    }
  }

  return { continuity, round };
}
