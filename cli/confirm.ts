import { createInterface } from 'node:readline/promises';
import { type Given, hasFlag } from './command.ts';
import { UsageError } from './usage-error.ts';
import { printable } from './words/printable.ts';

/** Asks before something that cannot be undone, naming it. Whoever cannot be asked says --yes beforehand. */
export async function confirmed(given: Given, question: string): Promise<boolean> {
  if (hasFlag(given, 'yes')) return true;
  if (!given.interactive) throw new UsageError(`${question} Say --yes to go on.`);
  const readline = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await readline.question(`${printable(question)} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    readline.close();
  }
}

export const yesFlag = { yes: { type: 'boolean', shortFlag: 'y' } } as const;
export const yesOption = ['--yes, -y', 'Do not ask'] as const;
