import meow, { type AnyFlags } from 'meow';
import type { Command, Given } from './command.ts';
import { UsageError } from './usage-error.ts';

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The flag that a word names, in its long form or its short one. */
function flagNamed(flags: AnyFlags, word: string) {
  const name = word.replace(/^-+(?:no-)?/, '').replace(/=.*/s, '');
  return Object.entries(flags).find(([key, { shortFlag }]) =>
    word.startsWith('--') ? kebab(key) === name : shortFlag === name,
  );
}

/** Refuses, in words, what meow would take for something else: a flag that there is not, or one without its value. */
function checkFlags(flags: AnyFlags, argv: readonly string[], help: string): void {
  for (const [at, word] of argv.entries()) {
    if (!/^-+[a-z]/i.test(word)) continue;
    const [, flag] = flagNamed(flags, word) ?? [];
    if (!flag) throw new UsageError(`There is no flag \`${word.replace(/=.*/s, '')}\`.`, help);
    if (flag.type === 'boolean') continue;
    const value = word.includes('=') ? word.replace(/^[^=]*=/s, '') : argv[at + 1];
    if (value === undefined || value === '' || value.startsWith('--'))
      throw new UsageError(`${word.replace(/=.*/s, '')}: expected a value.`, help);
  }
}

/** What was typed after a command's name. @throws UsageError */
export function parse(
  command: Command,
  argv: string[],
  help: string,
  how: Pick<Given, 'json' | 'interactive'>,
): Given {
  const flags: AnyFlags = { ...command.flags, json: { type: 'boolean' } };
  checkFlags(flags, argv, help);
  const { input, flags: values } = meow({
    importMeta: import.meta,
    argv,
    help: false,
    description: false,
    autoHelp: false,
    autoVersion: false,
    flags,
  });
  const [least, most] = command.words ?? [0, 0];
  if (input.length < least) throw new UsageError('Something is missing.', help);
  if (input.length > most) throw new UsageError(`\`${input[most]}\` is too much.`, help);
  return { words: input, flags: values, ...how };
}
