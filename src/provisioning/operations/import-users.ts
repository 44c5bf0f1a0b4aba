import { randomUUID } from 'node:crypto';
import { isOperator, type Operator } from '../../core/actor.ts';
import { AuthError } from '../../core/errors.ts';
import type { Runtime } from '../../core/runtime.ts';
import { confirmAnswer } from '../../db/confirm-answer.ts';
import type { Entitled } from '../../roles/entitled.ts';
import { batchesOf, type CheckedRecord, checkAll } from '../batches.ts';
import type { Obstacle } from '../candidate.ts';
import type { ImportOptions, ImportReport } from '../imported-user.ts';
import { reservedInBatch, reservedInDryRun } from '../reserved.ts';
import { type Decision, decide, type Reserved } from '../rules.ts';
import { type ImportSource, readTaken, storeUsers } from './store-users.ts';

/** How many users one statement creates. Such a statement ends long before its time limit. */
const usersOfBatch = 250;

/** Options of an import, with defaults. */
export interface ImportSettings extends ImportOptions {
  source: string;
  dryRun: boolean;
}

/**
 * Imports users of another system, in batches. One statement creates all accounts of a batch. If the call fails or the
 * process ends between two statements, another call with the same records continues: it skips users whose `sourceId` is
 * already stored.
 *
 * @throws AuthError `unavailable` if the database is unreachable; the users of the earlier batches are imported
 * @throws the errors of the source, of `onRefused` and of `onProgress`
 */
export async function importUsers(
  runtime: Runtime,
  by: Entitled<'user:manage'>,
  records: Iterable<unknown> | AsyncIterable<unknown>,
  { source, dryRun, onRefused, onProgress }: ImportSettings,
): Promise<ImportReport> {
  const { actor } = by;
  if (!isOperator(actor)) throw new AuthError('forbidden');
  const call = { source, importId: randomUUID(), notStored: dryRun ? reservedInDryRun() : null };
  const report: ImportReport = {
    dryRun,
    read: 0,
    imported: 0,
    alreadyImported: 0,
    refused: 0,
    reasons: {},
  };
  // The statement of `signUp.after` belongs to one account.
  const most = runtime.signUp.hasStatement && !dryRun ? 1 : usersOfBatch;
  for await (const batch of batchesOf(records, most)) {
    const checked = await checkAll(runtime, batch);
    const decisions = await settle(runtime, actor, checked, call);
    for (const [index, { line, record }] of checked.entries()) {
      const refusal = count(report, decisions[index]);
      if (refusal) await onRefused?.({ line, ...refusal, record });
    }
    const { read, imported, alreadyImported, refused } = report;
    await onProgress?.({ read, imported, alreadyImported, refused });
  }
  return dryRun ? report : confirmAnswer(runtime, report);
}

/** Counts a decision. Returns the reason for a refusal. Null: the user is not refused. */
function count(
  report: ImportReport,
  decision: Decision | undefined,
): Pick<Obstacle, 'reason' | 'message'> | null {
  if (!decision) throw new Error('the import made no decision about a record');
  report.read += 1;
  if (decision.kind === 'import') report.imported += 1;
  if (decision.kind === 'already_imported') report.alreadyImported += 1;
  if (decision.kind !== 'refuse') return null;
  const { reason, path, message } = decision.obstacle;
  report.refused += 1;
  report.reasons[reason] = (report.reasons[reason] ?? 0) + 1;
  return { reason, message: path === '' ? message : `${path}: ${message}` };
}

interface Call extends ImportSource {
  /** The values of the users that a dry run accepted. Null: the import stores the users. */
  notStored: Reserved | null;
}

const maxAttempts = 5;

/**
 * Decides which users of a batch to import, and stores them. If a concurrent sign-up or import takes a value of one of
 * these users, reads again and decides again.
 *
 * @throws AuthError `unavailable` if concurrent statements keep taking values
 */
async function settle(
  runtime: Runtime,
  operator: Operator,
  checked: readonly CheckedRecord[],
  call: Call,
): Promise<(Decision | undefined)[]> {
  const candidates = checked.flatMap((one) => ('candidate' in one ? one.candidate : []));
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const taken = await readTaken(runtime, operator, candidates, call);
    const reserved = reservedInBatch(call.notStored);
    const decided = decide(candidates, taken, reserved, runtime.config.lookAlikes);
    const accepted = decided.flatMap((one) => (one.kind === 'import' ? one.accepted : []));
    if (call.notStored) for (const key of reserved.added) call.notStored.add(key);
    if (call.notStored || (await storeUsers(runtime, operator, accepted, call))) {
      return checked.map((one) =>
        'obstacle' in one ? { kind: 'refuse', obstacle: one.obstacle } : decided.shift(),
      );
    }
  }
  throw new AuthError('unavailable', { detail: 'concurrent statements keep taking values of the users' });
}
