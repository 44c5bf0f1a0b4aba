import { ConfigurationError, isProduction, readConfiguration } from 'latchkey';
import type { Command } from '../command.ts';
import type { Check } from '../doctor/check.ts';
import { examine } from '../doctor/examine.ts';
import { print, printJson, styled } from '../output.ts';
import { joinEmbedded } from '../service.ts';
import { printableLines } from '../words/printable.ts';

const marks = {
  ok: () => styled('green', '✓'),
  warning: () => styled('yellow', '!'),
  fault: () => styled('red', '✗'),
};

/** Exit 0 where all is well, 1 with warnings, 2 with faults. */
export const doctor: Command = {
  usage: '',
  async run({ json }) {
    const checks = await examineAll();
    const faults = checks.filter(({ level }) => level === 'fault').length;
    const warnings = checks.filter(({ level }) => level === 'warning').length;
    if (json) printJson({ faults, warnings, checks });
    else {
      for (const check of checks) print(...linesOf(check));
      print('', `${count(faults, 'fault')}, ${count(warnings, 'warning')}.`);
    }
    return faults > 0 ? 2 : warnings > 0 ? 1 : 0;
  },
};

/** The embedded database is started for the look; any other is looked at as the settings name it, whatever they are worth. */
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

/** By the service's own rule, whatever else is wrong with the settings. */
function isUsable(url: string): boolean {
  try {
    readConfiguration({ database: url });
    return true;
  } catch (error) {
    return (
      error instanceof ConfigurationError && !error.faults.some(({ variable }) => variable === 'database')
    );
  }
}

const linesOf = ({ name, level, message, why, mend }: Check): string[] => [
  `${marks[level]()} ${styled('bold', name)}  ${printableLines(message)}`,
  ...(why === undefined ? [] : [`    ${printableLines(why)}`]),
  ...(mend === undefined ? [] : [`    → ${printableLines(mend)}`]),
];

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
