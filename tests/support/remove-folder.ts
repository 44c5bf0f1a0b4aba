import { rm } from 'node:fs/promises';

/** Deletes a folder and its files. Retries, because a server that was killed may still be writing to it. */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
