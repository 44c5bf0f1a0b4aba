import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the paths of all TypeScript files in the given folders, relative to the root. Ignores missing folders, and does
 * not read hidden folders, in which other tests create and delete files at the same time.
 */
export const sourcePaths = (root: string, folders: readonly string[]): string[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => filesIn(join(root, folder)))
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => path.slice(root.length + 1));

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (!entry.isDirectory()) return [path];
    return /^\.|^(dist|node_modules)$/.test(entry.name) ? [] : filesIn(path);
  });
