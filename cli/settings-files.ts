import { UsageError } from './usage-error.ts';

/** The files that the operator names in flags. Undefined: the files in the working directory. */
export interface SettingsFiles {
  config?: string;
  dotenv?: string;
}

/**
 * Removes `--config <file>` and `--dotenv <file>` from the words, so that each command does not need to parse them.
 *
 * @throws UsageError if a flag has no value
 */
export function takeSettingsFiles(words: readonly string[]): { words: string[]; files: SettingsFiles } {
  const rest: string[] = [];
  const files: SettingsFiles = {};
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === '--') return { words: [...rest, word, ...left], files };
    const [, flag, value] = /^--(config|dotenv)(?:=(.*))?$/s.exec(word) ?? [];
    if (flag === undefined) rest.push(word);
    else files[flag as keyof SettingsFiles] = fileOf(flag, value ?? left.shift());
  }
  return { words: rest, files };
}

function fileOf(flag: string, value: string | undefined): string {
  if (value === undefined || value === '' || value.startsWith('--'))
    throw new UsageError(`--${flag}: expected a file.`);
  return value;
}
