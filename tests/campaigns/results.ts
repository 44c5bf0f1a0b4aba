import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const folder = 'tests/evidence/results';

/** What each file of results begins with. */
export interface Results {
  readonly campaign: string;
  /** The command that repeats the run. */
  readonly command: string;
  /** When the run began (ISO 8601). */
  readonly at: string;
  readonly seconds: number;
}

/** Writes the results of a campaign, which replace those of its last run. Returns the path of the file. */
export async function writeResults<Own extends Results>(name: string, results: Own): Promise<string> {
  const file = join(folder, `${name}.json`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, `${JSON.stringify(results, null, 2)}\n`);
  return file;
}
