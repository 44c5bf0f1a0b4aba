import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Puts all modules that the first page needs into one script. esbuild writes a script for each set of entries that share
 * a module. Without this plugin, the first page would need more than twenty scripts, and a browser loads only six at a
 * time over HTTP/1.1. So every module that a page loads later also imports the first module. The messages do not:
 * the first module waits for them, so each would wait for the other.
 */
export const firstScript = (folder: string, first: string): Plugin => ({
  name: 'one first script',
  setup({ onLoad, onResolve }) {
    const later = entriesLoadedLater(folder);
    const path = resolve(folder, first);
    // package.json lists only the elements in `sideEffects`, so esbuild would leave out an import without names.
    onResolve({ filter: /\.tsx$/ }, ({ resolveDir, path: imported }) =>
      resolve(resolveDir, imported) === path ? { path, sideEffects: true } : undefined,
    );
    onLoad({ filter: /\.tsx?$/ }, ({ path: loaded }) => {
      if (!later.has(loaded)) return;
      const contents = `${readFileSync(loaded, 'utf8')}\nimport ${JSON.stringify(path)};\n`;
      return { contents, loader: loaded.endsWith('x') ? 'tsx' : 'ts' };
    });
  },
});

/** The paths of the modules that the modules of the folder import with `import()`. */
function entriesLoadedLater(folder: string): Set<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(
    files
      .filter(({ parentPath, name }) => /\.tsx?$/.test(name) && !/[\\/]messages$/.test(parentPath))
      .flatMap(({ parentPath, name }) => {
        const code = readFileSync(join(parentPath, name), 'utf8');
        return [...code.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, path = '']) =>
          resolve(parentPath, path),
        );
      }),
  );
}
