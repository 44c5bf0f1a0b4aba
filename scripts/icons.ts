import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Inlines icons: of Lucide the elements without the <svg> around them, of Simple Icons the only path. */
export const icons = (): Plugin => ({
  name: 'icons',
  setup({ onLoad }) {
    onLoad({ filter: /lucide-static[\\/]dist[\\/]esm[\\/].*\.mjs$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replace(
        /\/\*\*[\s\S]*?\*\/|<svg[^>]*>|<\/svg>|\n\s*(?=<|`)/g,
        '',
      ),
    }));
    onLoad({ filter: /simple-icons[\\/]icons[\\/].*\.svg$/ }, async ({ path }) => {
      const drawn = [...(await readFile(path, 'utf8')).matchAll(/<path d="([^"]+)"/g)];
      if (drawn.length !== 1) throw new Error(`Expected one path in ${path}, found ${drawn.length}.`);
      return { contents: `export default ${JSON.stringify(drawn[0]?.[1])};` };
    });
  },
});
