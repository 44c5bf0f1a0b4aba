import { bugReportRequest, recordedBugs } from '../bug.ts';
import { createCliContext } from '../create-cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { remark, styled } from '../output.ts';
import { silence, withService } from '../service.ts';
import { loadSettings } from '../settings.ts';
import { printableLines } from '../words/printable.ts';

/** Runs the screens. `latchkey` calls this function in a terminal if no command is given. */
export async function interactive(): Promise<number> {
  loadSettings();
  const { runApp } = await import('../app.tsx');
  await withService(async (service) => runApp(await createCliContext(service)), silence);
  const bugs = recordedBugs();
  for (const { message, stack } of bugs)
    remark(
      `${styled('red', 'error:', process.stderr)} ${printableLines(message)}`,
      bugReportRequest,
      printableLines(stack),
    );
  return bugs.length > 0 ? exitCodes.bug : exitCodes.done;
}
