import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Writes the licenses of all bundled packages into a file beside the bundle, because the licenses require it. */
export const bundledLicenses = (): Plugin => ({
  name: 'licenses of bundled packages',
  setup({ initialOptions, onEnd }) {
    initialOptions.metafile = true;
    onEnd(async ({ metafile }) => {
      const folders = new Set(Object.keys(metafile?.inputs ?? {}).flatMap(packageFolderOf));
      const texts = await Promise.all([...folders].sort().map(licenseOf));
      const outdir = `${initialOptions.outdir}`;
      // The bundle is written later, so the folder may not exist yet.
      await mkdir(outdir, { recursive: true });
      await writeFile(join(outdir, 'LICENSES.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
    });
  },
});

const packageFolderOf = (path: string): string[] => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/) ?? [];

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file ? await readFile(join(folder, file), 'utf8') : `Licensed under ${license}.`;
  return `${name} ${version}\n\n${text.trim()}\n`;
}
