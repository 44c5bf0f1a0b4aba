import { lstatSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { errorCode } from './file-errors.ts';

type LibraryLink = { source: string; target: string };

/**
 * Creates the missing symbolic links to the libraries. npm archives contain no symbolic links, so the package has a
 * postinstall script that creates the links. Some package managers do not run postinstall scripts by default.
 *
 * @param root the folder that is called `native` in the package's list of links
 * @throws an error of the file system if the folder is not writable
 */
export async function linkLibraries(root: string): Promise<void> {
  for (const { source, target } of await readLinks(root)) {
    const link = join(root, relative('native', target));
    if (exists(link)) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(relative(dirname(target), source), link).catch((error: unknown) => {
      // EEXIST: a concurrent start has created the link.
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

/** Some package managers install the programs without the executable bit. */
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
    // The Windows package has no links.
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
