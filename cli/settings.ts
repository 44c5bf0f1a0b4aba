import { existsSync } from 'node:fs';

/** Reads `.env` into the environment, if the file exists. Variables that are already set keep their values. */
export function loadSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
