import { createInterface } from 'node:readline/promises';
import type { Input } from './command.ts';
import type { Feature } from './features.ts';
import { remark } from './output.ts';
import { featuresOrAll } from './switched-off.ts';
import { UsageError } from './usage-error.ts';
import { printable } from './words/printable.ts';

export const yesFlag = {
  yes: { type: 'boolean', shortFlag: 'y', about: 'Do not ask for confirmation' },
} as const;

/**
 * Asks for confirmation. If the operator cannot answer (no terminal, or --json), requires --yes.
 *
 * @param feature the feature that the command needs. If it is switched off, the function asks nothing and returns true,
 *   because the service refuses the command.
 */
export async function confirmed(
  { flags, interactive }: Pick<Input<typeof yesFlag>, 'flags' | 'interactive'>,
  question: string,
  feature?: Feature,
): Promise<boolean> {
  if (flags.yes || (feature && !featuresOrAll()[feature])) return true;
  if (!interactive) throw new UsageError(`${question} Add --yes to confirm.`);
  const readline = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await readline.question(`${printable(question)} [y/N] `).catch(noIfAborted);
    const isYes = /^y(es)?$/i.test(answer.trim());
    if (!isYes) remark('Canceled.');
    return isYes;
  } finally {
    readline.close();
  }
}

/** Ctrl-C and Ctrl-D reject the question with an AbortError. Both mean no. */
function noIfAborted(error: unknown): string {
  if (!(error instanceof Error) || error.name !== 'AbortError') throw error;
  // Ends the line of the question.
  remark('');
  return 'no';
}
