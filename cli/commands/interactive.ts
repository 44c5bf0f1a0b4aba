import { bugReportRequest, recordedBugs } from '../bug.ts';
import { createCliContext } from '../create-cli-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { remark, styled } from '../output.ts';
import { type OpenService, silence, withService } from '../service.ts';
import { withSettings } from '../settings.ts';
import type { SettingsFiles } from '../settings-files.ts';
import { printableLines } from '../words/printable.ts';

/** Runs the screens. `latchkey` calls this function in a terminal if no command is given. */
export async function interactive(files: SettingsFiles): Promise<number> {
  const { runApp } = await import('../app.tsx');
  const open = async (service: OpenService) => runApp(await createCliContext(service));
  await withSettings(files, () => withService(open, silence));
  const bugs = recordedBugs();
  for (const { message, stack } of bugs)
    remark(
      `${styled('red', 'error:', process.stderr)} ${printableLines(message)}`,
      bugReportRequest,
      printableLines(stack),
    );
  return bugs.length > 0 ? exitCodes.bug : exitCodes.done;
}
