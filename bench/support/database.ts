import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from 'latchkey/embedded';

/** A PostgreSQL of its own, with its settings as they come, which leaves nothing behind. */
export interface MeasuredDatabase {
  url: string;
  stop(): Promise<void>;
}

export async function startDatabase(): Promise<MeasuredDatabase> {
  const directory = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  const { url, stop, dataDirectory } = await startEmbeddedPostgres({ directory });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(directory, { recursive: true, force: true });
      if (!dataDirectory.startsWith(directory))
        await rm(join(dataDirectory, '..'), { recursive: true, force: true });
    },
  };
}
