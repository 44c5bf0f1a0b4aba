import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bundles a TypeScript program into a script, because Node 20 cannot run TypeScript.
 *
 * @param path the path of the program, relative to the repository root
 * @param name the name of the script. Its folder is inside the repository, so that the script can import packages.
 * @returns the path of the script
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
