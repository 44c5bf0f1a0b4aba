import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Makes a TypeScript program of the tests a script to run: Node 20 runs no TypeScript by itself.
 *
 * @param path of the program, from the root of the repository
 * @param name of the script in our folder inside the repository, where packages resolve
 * @returns where the script is
 */
export async function bundleProgram(path: string, name: string): Promise<string> {
  const outfile = join(repository, 'node_modules', '.cache', 'latchkey-tests', name);
  await build({
    entryPoints: [join(repository, path)],
    alias: {
      'latchkey/testing': join(repository, 'src/testing/index.ts'),
      'latchkey/embedded': join(repository, 'src/embedded/index.ts'),
      latchkey: join(repository, 'src/index.ts'),
    },
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'error',
  });
  return outfile;
}
