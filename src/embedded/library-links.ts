import { lstatSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from './file-errors.ts';

type LibraryLink = { source: string; target: string };

/**
 * npm's archives hold no symbolic links. The package makes those of its libraries in a postinstall script,
 * which newer package managers do not run unless allowed to; so we make what is missing. `root` is the folder
 * the list calls `native`. Throws where nothing can be written.
 */
export async function linkLibraries(root: string): Promise<void> {
  for (const { source, target } of await readLinks(root)) {
    const link = join(root, relative('native', target));
    if (exists(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      // Another start made it in the meantime.
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** Some installers lose the executable bit as well. */
export async function makeExecutable(programs: string[]): Promise<void> {
  if (process.platform === 'win32') return;
  for (const program of programs) {
    if ((lstatSync(program).mode & 0o555) !== 0o555) await chmod(program, 0o755);
  }
}

async function readLinks(root: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(root, 'pg-symlinks.json'), 'utf8'));
  } catch (error) {
    // The Windows package has none to make.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
