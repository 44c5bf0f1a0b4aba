import { readFile, writeFile } from 'node:fs/promises';
import { type CheckedAuditProof, checkAuditProof } from 'latchkey';
import { command } from '../command.ts';
import { confirmed, yesFlag } from '../confirm.ts';
import { exitCodes } from '../exit-codes.ts';
import { facts, print, printJson, remark } from '../output.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { isId } from '../user-id.ts';
import { count } from '../words/count.ts';
import { verify } from './verify.ts';

const proof = command({
  args: '<id>',
  flags: {
    output: { type: 'string', value: 'file', about: 'A file to create (default: standard output)' },
  },
  note: 'The file contains the event with all its details. Others check it with `latchkey audit check-proof` and the public key that `latchkey audit checkpoint` prints.',
  async run({ args: [id = ''], flags: { output }, json }) {
    if (!isId(id)) throw new UsageError(`Expected the ID of an event, not "${id}".`);
    const text = await withService(({ operator }) => operator.audit.prove(id.toLowerCase()));
    if (output !== undefined) {
      await writeFile(output, text, { flag: 'wx', mode: 0o600 });
      return json ? printJson({ file: output }) : remark(`Wrote the proof to ${output}.`);
    }
    if (json) return printJson({ proof: text });
    process.stdout.write(text);
    return undefined;
  },
});

const checkProof = command({
  args: '<file>',
  flags: {
    key: { type: 'string', value: 'key', about: 'Public key of the log (required)' },
    witnessKey: { type: 'string', value: 'key', about: 'Public key of a witness that must have cosigned' },
  },
  note: 'Needs neither a database nor a secret. Take the key from its owner, not from the sender of the file. The exit code is 3 if the proof is not valid.',
  async run({ args: [path = ''], flags: { key, witnessKey }, json }) {
    if (key === undefined)
      throw new UsageError(
        '--key: expected the public key of the log. The owner of the log gets it with `latchkey audit checkpoint`.',
      );
    const text = await readFile(path, 'utf8');
    const result = checked(text, witnessKey === undefined ? [key] : [key, witnessKey]);
    if ('problem' in result) {
      if (json) printJson({ valid: false, problem: result.problem });
      else print(`Not valid: ${result.problem}.`);
      return exitCodes.refused;
    }
    if (witnessKey !== undefined && result.witnesses.length === 0) {
      const problem = 'the witness has not cosigned the checkpoint in the proof';
      if (json) printJson({ valid: false, problem });
      else print(`Not valid: ${problem}.`);
      return exitCodes.refused;
    }
    return json ? printJson({ valid: true, ...result }) : printProof(result);
  },
});

function checked(text: string, keys: readonly string[]): CheckedAuditProof | { problem: string } {
  try {
    return checkAuditProof(text, keys);
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(`--key: ${error.message}.`);
    if (error instanceof RangeError) return { problem: error.message };
    throw error;
  }
}

function printProof({
  event,
  eventId,
  at,
  position,
  origin,
  size,
  erased,
  witnesses,
}: CheckedAuditProof): undefined {
  const name = ({ name, id, type }: { name: string | null; id: string | null; type: string }) =>
    [name ?? type, id].filter((part) => part !== null).join(' ');
  print('Valid. The audit log contains this event:');
  print(
    facts([
      ['Event', event?.event ?? 'pruned: only its ID and its time are left'],
      ['ID', eventId],
      ['Time', at],
      ...(event
        ? ([
            ['Outcome', event.outcome],
            ['Actor', name(event.actor)],
            ['Impersonator', event.impersonator === null ? '–' : name(event.impersonator)],
            ['Target', event.target === null ? '–' : name(event.target)],
            ['IP address', event.ip ?? '–'],
            ['Browser', event.userAgent ?? '–'],
            [
              'Details',
              Object.entries(event.details)
                .map(([key, value]) => `${key}=${value}`)
                .join(' ') || '–',
            ],
          ] as const)
        : []),
      ...(erased.length > 0
        ? ([['Erased', `${erased.join(', ')}: the proof does not cover these values`]] as const)
        : []),
      ['Log', origin],
      ['Position', `${position}, in a log with ${count(size, 'event')}`],
      ...witnesses.map((witness) => ['Witness', `${witness.name}, ${witness.at}`] as const),
    ]),
  );
}

function printCheckpoint({
  size,
  note,
  keys,
}: {
  size: number;
  note: string;
  keys: readonly string[];
}): void {
  remark(
    keys.length > 0
      ? `${count(size, 'event')}. Public ${keys.length === 1 ? 'key' : 'keys'}:`
      : `${count(size, 'event')}. No key of this configuration has signed the checkpoint. To see the public keys, run this command with the configuration of the process that signs.`,
  );
  if (keys.length > 0) print(...keys);
  remark('Checkpoint:');
  process.stdout.write(note);
}

const checkpoint = command({
  async run({ json }) {
    const { origin, size, note, keys, witnessKeys } = await withService(({ operator }) =>
      operator.audit.checkpoint(),
    );
    if (json) return printJson({ origin, size, note, keys, witnessKeys });
    if (note === null) print('The audit log has no checkpoint yet. A running service makes the first one.');
    else printCheckpoint({ size, note, keys });
    if (witnessKeys.length === 0) return undefined;
    remark(`Public ${witnessKeys.length === 1 ? 'key' : 'keys'} of this service as a witness of other logs:`);
    print(...witnessKeys);
    return undefined;
  },
});

const newLog = command({
  flags: {
    reason: {
      type: 'string',
      value: 'text',
      about: 'Why, for the audit log (required; at most 200 characters)',
    },
    ...yesFlag,
  },
  note: 'Use this after you have restored the database from a backup. The service does not continue a log that is older than its checkpoint.',
  async run({ flags, interactive, json }) {
    const { reason } = flags;
    if (reason === undefined || !/^\P{Cc}{1,200}$/u.test(reason))
      throw new UsageError('--reason: expected 1 to 200 characters without control characters.');
    const question =
      'Sign the audit log as it is now, with a new identifier? Witnesses and readers of the log then need the new public key.';
    if (!(await confirmed({ flags, interactive }, question))) return exitCodes.stopped;
    const started = await withService(({ operator }) => operator.audit.startNewLog({ reason }));
    if (json) return printJson(started);
    return print(`The audit log is now ${started.origin}. It took over ${count(started.size, 'event')}.`);
  },
});

export const commands = { verify, proof, 'check-proof': checkProof, checkpoint, 'new-log': newLog };
