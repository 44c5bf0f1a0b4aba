import { ConfigurationError, isProduction, readConfiguration } from 'latchkey';
import { command } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import { exitCodes } from '../exit-codes.ts';
import { print, printJson, styled } from '../output.ts';
import { configuredDatabase, joinEmbedded } from '../service.ts';
import { configuredOptions } from '../settings.ts';
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

/** Examines the configured database. In development without a database, starts the embedded PostgreSQL. */
async function examineAll(): Promise<Check[]> {
  const database = configuredDatabase();
  if (database !== null) return examine(isUsable(database.setting) ? database : null);
  if (isProduction(configuredOptions())) return examine(null);
  const embedded = await joinEmbedded();
  try {
    return await examine(embedded);
  } finally {
    await embedded.close();
  }
}

/** Whether the database URL is valid. Ignores faults in other settings. */
function isUsable(setting: string): boolean {
  try {
    readConfiguration(configuredOptions());
    return true;
  } catch (error) {
    const name = setting.replace('the option ', '');
    return error instanceof ConfigurationError && !error.faults.some((fault) => fault.setting === name);
  }
}

const linesOf = ({ name, level, message, why, fix }: Check): string[] => [
  `${marks[level]()} ${styled('bold', name)}  ${printableLines(message)}`,
  ...(why === undefined ? [] : [`    ${printableLines(why)}`]),
  ...(fix === undefined ? [] : [`    → ${printableLines(fix)}`]),
];

export const commands = { '': doctor };
