import { rm } from 'node:fs/promises';

/** Deletes a folder and its files. Retries, because a killed server may still be writing to the folder. */
export const removeFolder = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
