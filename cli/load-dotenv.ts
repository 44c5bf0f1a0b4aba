import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { isProduction } from 'latchkey';
import { SettingsError } from './settings-error.ts';
import { distrustOf, isRoot, refuseDistrusted } from './trusted-file.ts';

const implicit = '.env';

/**
 * Reads variables from a file into the environment. Variables that are already set keep their values.
 *
 * Without a name, reads `.env`, but only in development. In production, a file that happens to be in the working
 * directory must not decide which database a command changes.
 *
 * @param onlyTrusted refuses a `.env` that another user could have written, for every user and not only for root
 * @returns the name of the file, or null if no file was read
 * @throws SettingsError
 */
export function loadDotenv(named: string | undefined, onlyTrusted = false): string | null {
  if (named !== undefined) {
    apply(read(named));
    return named;
  }
  if (!existsSync(implicit) || isProduction()) return null;
  const distrust = onlyTrusted || isRoot() ? distrustOf(implicit) : null;
  if (distrust !== null) refuseDistrusted(implicit, distrust, '--dotenv');
  const variables = read(implicit);
  if (isProduction({ env: { ...variables, ...process.env } })) {
    throw new SettingsError(
      'The file .env contains settings for production.',
      'In production, commands read a file only if you name it: --dotenv=.env',
    );
  }
  apply(variables);
  return implicit;
}

type Variables = Readonly<Record<string, string | undefined>>;

function read(file: string): Variables {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Variables;
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown error';
    throw new SettingsError(`The file ${file} cannot be read: ${reason}.`, 'Correct the path or the file.');
  }
}

function apply(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
}
