import { type FileHandle, open } from 'node:fs/promises';
import type { ImportProgress, ImportReport, RefusedUser } from 'latchkey';
import { command } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { linesOf } from '../ndjson-lines.ts';
import { facts, print, printJson, remark } from '../output.ts';
import { progressLine } from '../progress-line.ts';
import { createRefusedFile, refusedLine } from '../refused-file.ts';
import { withService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { count } from '../words/count.ts';
import { printable } from '../words/printable.ts';

/** Without --refused, the command prints only this many refused records. */
const mostPrinted = 10;

export const importUsers = command({
  args: '<file>',
  flags: {
    source: {
      type: 'string',
      value: 'name',
      about: 'Name of the other system, which "sourceId" belongs to (default import)',
    },
    dryRun: { type: 'boolean', about: 'Check all records and write nothing' },
    refused: {
      type: 'string',
      value: 'file',
      about: 'Write refused records and the reasons to this file, as NDJSON',
    },
  },
  note: 'The file is NDJSON: one user on each line. "-" reads standard input. If the command stops, run it again: it skips users that are already imported. The exit code is 3 if records were refused.',
  async run({ args: [path = ''], flags, json }) {
    const { source } = flags;
    if (source !== undefined && !/^\P{Cc}{1,64}$/u.test(source))
      throw new UsageError('--source: expected 1 to 64 characters without control characters.');
    const file = path === '-' ? null : await open(path, 'r');
    let refusedFile: FileHandle | null = null;
    try {
      if (flags.refused !== undefined) refusedFile = await createRefusedFile(flags.refused, file);
      const chunks = file === null ? process.stdin : file.createReadStream();
      const report = await importLines(linesOf(chunks), { source, dryRun: flags.dryRun }, refusedFile, json);
      if (json) printJson(report);
      else printReport(report, flags.refused);
      return report.refused > 0 ? exitCodes.refused : exitCodes.done;
    } finally {
      await refusedFile?.close();
      await file?.close().catch(() => {});
    }
  },
});

async function importLines(
  lines: AsyncIterable<string>,
  options: { source: string | undefined; dryRun: boolean },
  refusedFile: FileHandle | null,
  json: boolean,
): Promise<ImportReport> {
  const progress = json ? null : progressLine();
  let last: ImportProgress | null = null;
  let printed = 0;
  const onRefused = async (refused: RefusedUser): Promise<void> => {
    if (refusedFile) return void (await refusedFile.write(refusedLine(refused)));
    if (json || printed === mostPrinted) return;
    printed += 1;
    progress?.clear();
    remark(`Line ${refused.line}: ${refused.reason}: ${printable(refused.message)}`);
  };
  const onProgress = (now: ImportProgress): void => {
    last = now;
    progress?.show(`${count(now.read, 'record')} read, ${now.imported} imported, ${now.refused} refused`);
  };
  try {
    return await withService(({ operator }) =>
      operator.users.import(lines, { ...options, onRefused, onProgress }),
    );
  } catch (error) {
    progress?.clear();
    const read = (last as ImportProgress | null)?.read ?? 0;
    if (read > 0 && !json)
      remark(`Stopped after ${count(read, 'record')}. To continue, run the same command again.`);
    throw error;
  } finally {
    progress?.clear();
  }
}

function printReport(report: ImportReport, refusedPath: string | undefined): void {
  print(
    facts([
      [report.dryRun ? 'Can be imported' : 'Imported', `${report.imported}`],
      ['Already imported', `${report.alreadyImported}`],
      ['Refused', `${report.refused}`],
      ...Object.entries(report.reasons).map(([reason, records]) => [`  ${reason}`, `${records}`] as const),
    ]),
  );
  if (report.refused === 0) return;
  if (refusedPath !== undefined)
    return void remark('', `The refused records are in ${printable(refusedPath)}.`);
  if (report.refused > mostPrinted) remark('', 'To get all refused records, run the command with --refused.');
}
