import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Inlines icons. Takes the elements inside the <svg> of Lucide icons, and the single path of Simple Icons. */
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
