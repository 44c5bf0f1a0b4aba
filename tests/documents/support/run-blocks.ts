import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = fileURLToPath(new URL('../.blocks/', import.meta.url));

/**
 * Writes code blocks into files, and imports the first one. `latchkey` and its subpaths are the source of this
 * repository. The files are deleted as soon as the first one is imported.
 *
 * @param files The code of each file, for example `{ 'server.ts': guide.block('createAuthService') }`.
 * @returns The exports of the first file.
 */
export async function importBlocks(files: Record<string, string>): Promise<Record<string, unknown>> {
  mkdirSync(folder, { recursive: true });
  const directory = mkdtempSync(join(folder, 'block-'));
  try {
    for (const [name, code] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(join(directory, name), code);
    }
    const [first = ''] = Object.keys(files);
    return await import(/* @vite-ignore */ pathToFileURL(join(directory, first)).href);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/**
 * Runs statements of a block that are not a whole module. `values` contains what the block uses and does not define. The
 * block can use `await` and `return`, but neither `import` nor types.
 */
export function runStatements(code: string, values: Record<string, unknown>): Promise<unknown> {
  const AsyncFunction = (async () => {}).constructor as new (
    ...parts: string[]
  ) => (...given: unknown[]) => Promise<unknown>;
  return new AsyncFunction(...Object.keys(values), code)(...Object.values(values));
}
