import { createHash } from 'node:crypto';
import { minute } from '../../core/duration.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import { type Checkpoint, checkpointText } from '../log/checkpoint.ts';
import {
  fromBase64,
  NoteError,
  type NoteVerifier,
  openNote,
  readNote,
  readVerifierKey,
  signatureLine,
} from '../log/note.ts';
import { createWitnessKeys } from '../log/witness-keys.ts';
import {
  contradicts,
  emptyRoot,
  judge,
  readWitnessRequest,
  type WitnessRequest,
} from '../log/witness-request.ts';
import { addWitnessed, replaceWitnessed, selectWitnessed, type WitnessedRow } from '../store/witnessed.ts';

/** `outdated`: the size of the newest checkpoint that this service has cosigned. */
export type Cosigning =
  | { outcome: 'cosigned'; signatures: string }
  | { outcome: 'outdated'; size: number }
  | { outcome: 'inconsistent' };

/** This service as a witness of other logs (C2SP tlog-witness). */
export interface Witness {
  /**
   * Cosigns a checkpoint that continues the newest one it has cosigned. Callers need no session, because only the
   * signature of the log counts.
   *
   * @throws AuthError `invalid_request` for a malformed request
   * @throws AuthError `not_found` for an unknown log, `forbidden` without a valid signature of the log
   */
  cosign(body: string): Promise<Cosigning>;
  /**
   * Returns the newest cosigned checkpoint of a log. Null: the service has not cosigned this log.
   *
   * @param originHash the SHA-256 hash of the identifier of the log, in hexadecimal digits
   */
  latest(originHash: string): Promise<string | null>;
}

/** An attempt fails only if another request records a checkpoint of the log at the same time. */
const mostAttempts = 5;

export function createWitness({ config, db, log, clock }: Runtime): Witness {
  const verifiers = config.auditLog.witnessFor.map(readVerifierKey);
  const keys = createWitnessKeys(config.secrets, config.rpId);
  const reportedAt = new Map<string, number>();

  async function cosign(body: string): Promise<Cosigning> {
    const request = readRequest(body);
    const { checkpoint } = request;
    const logSignatures = verifiedLines(request, verifiers);
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      const [row] = await db.query<WitnessedRow>(selectWitnessed(checkpoint.origin));
      const witnessed = row
        ? { size: Number(row.size), root: fromBase64(row.root) ?? Buffer.alloc(0) }
        : { size: 0, root: emptyRoot };
      const judgment = judge(witnessed, request);
      const isFork = contradicts(witnessed, checkpoint);
      if (isFork || judgment === 'inconsistent') report(request, row, isFork);
      if (judgment === 'outdated')
        return confirmAnswer({ db }, { outcome: 'outdated', size: witnessed.size });
      if (judgment === 'inconsistent') return confirmAnswer({ db }, { outcome: judgment });
      const text = checkpointText(checkpoint);
      const signatures = keys.signers(() => clock().getTime()).map((signer) => signatureLine(signer, text));
      const recorded = {
        origin: checkpoint.origin,
        size: checkpoint.size,
        root: checkpoint.root.toString('base64'),
        note: `${text}\n${[...logSignatures, ...signatures].join('')}`,
      };
      const change = row ? replaceWitnessed(row, recorded) : addWitnessed(recorded);
      // The cosignatures leave the service only after the checkpoint is recorded.
      if ((await db.query(change)).length > 0)
        return { outcome: 'cosigned', signatures: signatures.join('') };
    }
    throw new AuthError('unavailable', {
      detail: 'other requests have changed the checkpoint at the same time',
    });
  }

  /**
   * Writes at most one error of each kind per minute and log, because anyone can repeat a request. Anyone can also send a
   * published checkpoint with a wrong proof, so the error about it must not suppress the report of a fork.
   */
  function report(
    { note, checkpoint }: WitnessRequest,
    row: WitnessedRow | undefined,
    isFork: boolean,
  ): void {
    const now = clock().getTime();
    const { origin, size } = checkpoint;
    const kind = `${isFork} ${origin}`;
    if (now - (reportedAt.get(kind) ?? Number.NEGATIVE_INFINITY) < minute) return;
    reportedAt.set(kind, now);
    const message = isFork
      ? 'a witnessed audit log has signed two different trees of the same size'
      : 'a witnessed audit log does not prove that it continues its cosigned checkpoint';
    log.error({ origin, size, note, cosigned: row?.note ?? null }, message);
  }

  async function latest(originHash: string): Promise<string | null> {
    const origin = verifiers.find(({ name }) => sha256(name) === originHash)?.name;
    if (origin === undefined) return null;
    const [row] = await db.query<WitnessedRow>(selectWitnessed(origin));
    // Otherwise, the witness could sign another tree of the same size after a failover.
    return confirmAnswer({ db }, row?.note ?? null);
  }

  return { cosign, latest };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** @throws AuthError `invalid_request` */
function readRequest(body: string): WitnessRequest {
  try {
    return readWitnessRequest(body);
  } catch (cause) {
    if (!(cause instanceof NoteError)) throw cause;
    throw new AuthError('invalid_request', { errors: [{ path: '', message: cause.message }], cause });
  }
}

/**
 * Returns the lines of the signatures by keys of the log.
 *
 * @throws AuthError `not_found` if no key of the log is known, `forbidden` if no known key has signed or a signature is
 *   wrong, `invalid_request` if a key has signed twice, because each signature costs time
 */
function verifiedLines(
  { note, checkpoint }: { note: string; checkpoint: Checkpoint },
  known: readonly NoteVerifier[],
): string[] {
  const verifiers = known.filter(({ name }) => name === checkpoint.origin);
  if (verifiers.length === 0)
    throw new AuthError('not_found', {
      message: 'This service is not a witness of this log.',
      nextStep: 'Ask its operator to add the public key of the log.',
    });
  const { signatures } = readNote(note);
  const isRepeated = verifiers.some(
    (key) => signatures.filter(({ name, keyId }) => name === key.name && keyId.equals(key.keyId)).length > 1,
  );
  if (isRepeated)
    throw new AuthError('invalid_request', {
      errors: [{ path: '', message: 'expected at most one signature of each key' }],
    });
  try {
    return openNote(note, verifiers).verified.map(({ line }) => `${line}\n`);
  } catch (cause) {
    if (!(cause instanceof NoteError)) throw cause;
    throw new AuthError('forbidden', {
      message: 'The checkpoint has no valid signature of a known key of the log.',
      nextStep: 'Ask the operator of the witness to add the current public key of the log.',
      cause,
    });
  }
}
