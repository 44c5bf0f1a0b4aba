import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the paths of all TypeScript files in the given folders, relative to the root. Ignores missing folders. */
export const sourcePaths = (root: string, folders: readonly string[]): string[] =>
  folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !/(^|\/)(dist|node_modules)\//.test(path));
