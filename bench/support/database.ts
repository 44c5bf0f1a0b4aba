import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from 'latchkey/embedded';

/** Starts a temporary PostgreSQL with default settings; `stop` deletes it. */
export interface MeasuredDatabase {
  url: string;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<MeasuredDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  const { superuserUrl, stop, dataDirectory } = await startEmbeddedPostgres({ directory });
  return {
    url: superuserUrl,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
      if (!dataDirectory.startsWith(directory))
        await rm(join(dataDirectory, '..'), { recursive: true, force: true });
    },
  };
}
