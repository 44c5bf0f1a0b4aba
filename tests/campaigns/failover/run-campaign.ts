import { findPrograms, MissingPrograms, type ProgramName, type Programs } from './programs.ts';
import { createWorkspace, type Workspace } from './workspace.ts';

/**
 * Runs a campaign in a temporary folder, and ends all its programs afterwards: also after an error, SIGINT or SIGTERM.
 * After an error, the folder stays, because it contains the logs. Without the programs, the campaign is skipped. With
 * CI=true, it then fails.
 *
 * @param campaign returns whether the campaign has passed
 * @returns the exit code
 */
export async function runCampaign(
  wanted: readonly ProgramName[],
  keep: boolean,
  campaign: (workspace: Workspace, programs: Programs) => Promise<boolean>,
): Promise<number> {
  let programs: Programs;
  try {
    programs = findPrograms(wanted);
  } catch (error) {
    if (!(error instanceof MissingPrograms)) throw error;
    process.stderr.write(`Skipped: ${error.message}\n`);
    return process.env.CI === 'true' ? 1 : 0;
  }
  const workspace = await createWorkspace();
  if (keep) process.stdout.write(`The logs are in ${workspace.folder}\n`);
  const interrupted = new Promise<'interrupted'>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => resolve('interrupted'));
  });
  // An error of a client must not leave the servers behind.
  const failed = new Promise<never>((_, reject) => process.on('uncaughtException', reject));
  let isKept = keep;
  try {
    const passed = await Promise.race([campaign(workspace, programs), interrupted, failed]);
    if (passed === 'interrupted') return 130;
    return passed ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${(error as Error).stack}\nThe logs are in ${workspace.folder}\n`);
    isKept = true;
    return 1;
  } finally {
    await workspace.remove(isKept);
  }
}
