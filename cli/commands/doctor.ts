import { ConfigurationError, isProduction, readConfiguration } from 'latchkey';
import { command } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, styled } from '../output.ts';
import { joinEmbedded } from '../service.ts';
import { count } from '../words/count.ts';
import { printableLines } from '../words/printable.ts';

const marks = {
  ok: () => styled('green', '✓'),
  warning: () => styled('yellow', '!'),
  error: () => styled('red', '✗'),
};

const doctor = command({
  flags: { strict: { type: 'boolean', about: 'Use exit code 2 for warnings, too' } },
  note: 'The exit code is 2 for errors, otherwise 0.',
  async run({ flags, json }) {
    const checks = await examineAll();
    const errors = checks.filter(({ level }) => level === 'error').length;
    const warnings = checks.filter(({ level }) => level === 'warning').length;
    if (json) printJson({ errors, warnings, checks });
    else {
      for (const check of checks) print(...linesOf(check));
      print('', `${count(errors, 'error')}, ${count(warnings, 'warning')}.`);
    }
    return errors > 0 || (flags.strict && warnings > 0) ? exitCodes.unusable : exitCodes.done;
  },
});

/** Examines the database in DATABASE_URL. In development without DATABASE_URL, starts the embedded PostgreSQL. */
async function examineAll(): Promise<Check[]> {
  const url = process.env.DATABASE_URL?.trim();
  if (url) return examine(isUsable(url) ? { url } : null);
  if (isProduction()) return examine(null);
  const database = await joinEmbedded();
  try {
    return await examine(database);
  } finally {
    await database.close();
  }
}

/** Whether DATABASE_URL is valid. Ignores faults in other settings. */
function isUsable(url: string): boolean {
  try {
    readConfiguration({ database: url });
    return true;
  } catch (error) {
    return error instanceof ConfigurationError && !error.faults.some(({ setting }) => setting === 'database');
  }
}

const linesOf = ({ name, level, message, why, fix }: Check): string[] => [
  `${marks[level]()} ${styled('bold', name)}  ${printableLines(message)}`,
  ...(why === undefined ? [] : [`    ${printableLines(why)}`]),
  ...(fix === undefined ? [] : [`    → ${printableLines(fix)}`]),
];

export const commands = { '': doctor };
