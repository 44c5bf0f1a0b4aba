import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupResult } from './shard.ts';

const folder = 'node_modules/.cache/latchkey-interleavings';

/** Each campaign has its own file. */
const fileOf = (campaign: string): string =>
  join(folder, `progress-${createHash('sha256').update(campaign).digest('hex').slice(0, 8)}.json`);

/** What a campaign has done so far. `--resume` continues there, also after operations were added. */
export interface Progress {
  /** Which campaign this is: the sources and the kind of schedules. Another campaign cannot continue it. */
  campaign: string;
  /** When the first run began (ISO 8601). */
  at: string;
  /** The time of all runs. */
  seconds: number;
  groups: GroupResult[];
}

/** @returns null if there is no progress of this campaign */
export function readProgress(campaign: string): Progress | null {
  const file = fileOf(campaign);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Progress) : null;
}

export function writeProgress(progress: Progress): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileOf(progress.campaign), JSON.stringify(progress));
}

/** A hash of all files of the sources, because a campaign is only about them. */
export function hashOfSources(): string {
  const hash = createHash('sha256');
  const paths = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  for (const path of paths.sort()) hash.update(`${path}\n`).update(readFileSync(join('src', path)));
  return hash.digest('hex').slice(0, 12);
}
