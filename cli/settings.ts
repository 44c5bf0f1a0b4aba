import { existsSync } from 'node:fs';

/** Reads `.env`, where there is one, into the environment; what is set there already stays. */
export function loadSettings(): void {
  if (existsSync('.env')) process.loadEnvFile('.env');
}
