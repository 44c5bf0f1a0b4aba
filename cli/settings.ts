import { type AuthServiceOptions, isProduction } from 'latchkey';
import { loadConfig } from './load-config.ts';
import { loadDotenv } from './load-dotenv.ts';
import { SettingsError } from './settings-error.ts';
import type { SettingsFiles } from './settings-files.ts';

/** The settings of the process. */
interface Settings {
  options: AuthServiceOptions;
  /** The files that were read. */
  files: readonly string[];
}

let settings: Settings = { options: {}, files: [] };

/**
 * Reads the variables, then the configuration file, which can use them. Then runs `work`, and ends the clients that the
 * configuration file created.
 *
 * @throws SettingsError
 */
export async function withSettings<T>({ config, dotenv }: SettingsFiles, work: () => Promise<T>): Promise<T> {
  const variables = loadDotenv(dotenv);
  const { file, options } = await loadConfig(config);
  if (variables !== null && dotenv === undefined && isProduction(options)) throw unnamed(variables);
  settings = { options, files: [variables, file].filter((name) => name !== null) };
  try {
    return await work();
  } finally {
    await endClients(options);
  }
}

/** The options of the configuration file. Without a file: no options. */
export const configuredOptions = (): AuthServiceOptions => settings.options;

/** The files that `loadSettings` has read. */
export const settingsFiles = (): readonly string[] => settings.files;

/** The environment that the options apply to. */
export const environment = (): Readonly<Record<string, string | undefined>> =>
  settings.options.env ?? process.env;

/** Only the configuration file says that this is production, so `loadDotenv` could not know. */
const unnamed = (file: string): SettingsError =>
  new SettingsError(
    `The configuration file is for production, and ${file} was found in the working directory.`,
    `In production, commands read such a file only if you name it: --dotenv=${file}`,
  );

/**
 * The connections of clients would keep the process running. The service never closes the clients of an application, but
 * this process has no application.
 */
async function endClients({ database, redis }: { database?: unknown; redis?: unknown }): Promise<void> {
  for (const client of [database, redis]) {
    if (has(client, 'disconnect')) client.disconnect();
    else if (has(client, 'end')) await client.end();
    else if (has(client, 'close')) await client.close();
  }
}

/** An ioredis client has `disconnect`, a postgres.js client or a `pg` pool has `end`, and a `Database` has `close`. */
const has = <Name extends string>(client: unknown, name: Name): client is Record<Name, () => unknown> =>
  client !== null &&
  (typeof client === 'object' || typeof client === 'function') &&
  name in client &&
  typeof (client as Record<string, unknown>)[name] === 'function';
