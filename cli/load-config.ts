import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type AuthServiceOptions, isProduction } from 'latchkey';
import { SettingsError } from './settings-error.ts';
import { distrustOf, isRoot, refuseDistrusted } from './trusted-file.ts';

const names = ['latchkey.config.ts', 'latchkey.config.js', 'latchkey.config.mjs'];

export interface LoadedConfig {
  /** Null: there is no configuration file. */
  file: string | null;
  options: AuthServiceOptions;
  /** How another user could have written the file. Such a file must not be for production. */
  distrust: string | null;
}

/**
 * Loads the options from a configuration file.
 *
 * Without a name, loads the file in the working directory. In production, and for root, such a file must belong to root
 * or to the user who runs the command, and no other user can write it (see `distrustOf`).
 *
 * @param onlyTrusted requires this of the file for all users, and in development, too
 * @throws SettingsError
 */
export async function loadConfig(named: string | undefined, onlyTrusted = false): Promise<LoadedConfig> {
  if (named !== undefined) {
    if (!existsSync(named))
      throw new SettingsError(`The file ${named} does not exist.`, 'Correct --config, or remove it.');
    return { file: named, options: await optionsIn(named), distrust: null };
  }
  const file = names.find((name) => existsSync(name));
  if (file === undefined) return { file: null, options: {}, distrust: null };
  const distrust = distrustOf(file);
  const mustBeTrusted = onlyTrusted || isProduction() || isRoot();
  if (distrust !== null && mustBeTrusted) refuseDistrusted(file, distrust, '--config');
  return { file, options: await optionsIn(file), distrust };
}

async function optionsIn(file: string): Promise<AuthServiceOptions> {
  const module = await importFile(file);
  const options = (module as { default?: unknown }).default;
  if (typeof options === 'object' && options !== null && !isPromise(options)) return options;
  const given =
    options === undefined ? 'no default export' : 'a default export that is not an object of options';
  throw new SettingsError(
    `${file} has ${given}.`,
    `Export the options, not the service: export default defineConfig({ … })`,
  );
}

const isPromise = (value: object): boolean => 'then' in value;

async function importFile(file: string): Promise<unknown> {
  const path = resolve(file);
  const isTypeScript = /\.[cm]?ts$/.test(file);
  // Node.js 22.18 and later runs TypeScript itself.
  const runsTypeScript = Boolean((process.features as { typescript?: unknown }).typescript);
  const jiti = isTypeScript && !runsTypeScript ? await loadJiti(file) : null;
  try {
    return await (jiti ? jiti.import(path) : import(pathToFileURL(path).href));
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : `${error}`;
    throw new SettingsError(`${file} cannot be loaded: ${reason}`, `Correct ${file}.`, { cause: error });
  }
}

/** @throws SettingsError if the optional peer `jiti` is not installed */
async function loadJiti(file: string) {
  try {
    const { createJiti } = await import('jiti');
    // No cache on disk, because other users could write its files.
    return createJiti(import.meta.url, { fsCache: false, moduleCache: false });
  } catch (error) {
    throw new SettingsError(
      `This version of Node.js (${process.version}) does not run TypeScript, so ${file} cannot be loaded.`,
      'Run `npm install --save-dev jiti`, or use Node.js 22.18 or later.',
      { cause: error },
    );
  }
}
