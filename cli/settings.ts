import { existsSync } from 'node:fs';

/** Reads `.env` into the environment, if the file exists. Variables that are already set win. */
export function loadSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
