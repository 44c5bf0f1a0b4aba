import { type AuthServiceOptions, isProduction } from 'latchkey';
import { loadConfig } from './load-config.ts';
import { loadDotenv } from './load-dotenv.ts';
import { SettingsError } from './settings-error.ts';
import type { SettingsFiles } from './settings-files.ts';
import { refuseDistrusted } from './trusted-file.ts';

/** The settings of the process. */
interface Settings {
  options: AuthServiceOptions;
  /** The files that were read. */
  files: readonly string[];
}

let settings: Settings = { options: {}, files: [] };

/**
 * Reads the `.env` file, then the configuration file, which can use its variables. Then runs `work`, and closes the
 * clients that the configuration file created.
 *
 * @param onlyTrusted refuses a file of the working directory that another user could have written. Without it, such a
 *   file is refused only in production and for root.
 * @throws SettingsError
 */
export async function withSettings<T>(
  { config, dotenv }: SettingsFiles,
  work: () => Promise<T>,
  { onlyTrusted = false } = {},
): Promise<T> {
  const variables = loadDotenv(dotenv, onlyTrusted);
  const { file, options, distrust } = await loadConfig(config, onlyTrusted);
  // Everything after `loadConfig` is in this block, because the clients of the configuration file are open.
  try {
    // The options can also mean production, for example with an https origin.
    if (file !== null && distrust !== null && isProduction(options))
      refuseDistrusted(file, distrust, '--config');
    if (variables !== null && dotenv === undefined && isProduction(options)) throw implicitDotenv(variables);
    settings = { options, files: [variables, file].filter((name) => name !== null) };
    return await work();
  } finally {
    await endClients(options);
  }
}

/** The options of the configuration file. Without a file: no options. */
export const configuredOptions = (): AuthServiceOptions => settings.options;

/** The files that `withSettings` has read. */
export const settingsFiles = (): readonly string[] => settings.files;

/** The environment of the service: the option `env`, or else the variables of this process. */
export const environment = (): Readonly<Record<string, string | undefined>> =>
  settings.options.env ?? process.env;

/** For a configuration file whose options mean production. `loadDotenv` runs before these options are known. */
const implicitDotenv = (file: string): SettingsError =>
  new SettingsError(
    `The configuration file is for production, and ${file} was found in the working directory.`,
    `In production, commands read such a file only if you name it: --dotenv=${file}`,
  );

/**
 * Closes the clients, because their connections would keep the process running. The service never closes the clients of
 * an application, but in this process no application closes them.
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
