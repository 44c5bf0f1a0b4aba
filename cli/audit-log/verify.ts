import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { AuditVerification } from 'latchkey';
import { command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { count } from '../words/count.ts';
import { printable } from '../words/printable.ts';
import { notesOf } from './witness-file.ts';

/** Without --json, the command prints only this many problems. */
const mostPrinted = 10;

export const verify = command({
  flags: {
    key: { type: 'string', value: 'key', about: 'Public key of the log (default: the keys of the service)' },
    witnessFile: {
      type: 'string',
      value: 'file',
      about:
        'Checkpoints that were kept outside of the database; detects removed newest events and restored backups',
    },
    retention: {
      type: 'number',
      range: [1, 36_500],
      about: 'Days for which the log keeps events; detects that younger events were pruned',
    },
  },
  note: 'The witness file is the file in AUDIT_CHECKPOINT_FILE, or the log of the service as JSON lines. The exit code is 3 if a problem was found.',
  async run({ flags: { key, witnessFile, retention }, json }) {
    if (witnessFile !== undefined) await access(witnessFile);
    const progress = json ? null : progressLine();
    try {
      const result = await withService(({ operator }) =>
        operator.audit.verify({
          key,
          retentionDays: retention,
          ...(witnessFile !== undefined && { witnessed: notesOf(createReadStream(witnessFile)) }),
          onProgress: (checked, total) =>
            progress?.show(
              `${Math.floor((100 * checked) / total)} %: ${checked} of ${count(total, 'event')}`,
            ),
        }),
      );
      progress?.clear();
      if (json) printJson(result);
      else printResult(result, witnessFile !== undefined);
      return result.ok ? exitCodes.done : exitCodes.refused;
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('key: '))
        throw new UsageError(`--${error.message}.`);
      throw error;
    } finally {
      progress?.clear();
    }
  },
});

function printResult(result: AuditVerification, isWitnessed: boolean): void {
  const { ok, origin, events, pruned, erased, waiting, witnessed, problemCount, problems } = result;
  for (const { kind, position, message } of problems.slice(0, mostPrinted))
    print(`${kind}${position === undefined ? '' : ` ${position}`}: ${printable(message)}`);
  if (problemCount > mostPrinted) print(`… and ${count(problemCount - mostPrinted, 'problem')} more.`);
  if (origin === null && ok) {
    print('The audit log is empty: no event has an entry yet.');
    return;
  }
  const isSignedByOthers = problems.some(({ message }) => message.includes('no known key'));
  const parts = [
    `${count(events, 'event')} checked`,
    ...(pruned > 0 ? [`${pruned} pruned`] : []),
    ...(erased > 0 ? [`${erased} with erased values`] : []),
    ...(waiting > 0 ? [`${waiting} not in the log yet`] : []),
    ...(isWitnessed ? [`${count(witnessed, 'checkpoint')} compared`] : []),
  ];
  print(
    ok
      ? `No problem found in the log ${origin}.`
      : `The audit log does not match what was signed: ${count(problemCount, 'problem')}.`,
    `${parts.join(', ')}.`,
  );
  if (ok && !isWitnessed) print('Without --witness-file, removed newest events are not detected.');
  if (!ok && isSignedByOthers)
    print('If another process signs, pass its public key with --key, or set AUDIT_VERIFIER_KEYS.');
}
