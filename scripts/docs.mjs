// `npm run docs` writes the generated parts of the documents, between the markers `<!-- generated: … -->` and
// `<!-- /generated -->`. With --check, it changes nothing and fails if a part is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const outfile = resolve('node_modules/.cache/latchkey-generated-parts.mjs');
// With this file, the commands of the terminal import the source code of the package instead of the built package.
await bundle({ entryPoints: ['scripts/generated-parts.ts'], outfile, tsconfig: 'tsconfig.json' });
const { generatedParts } = await import(pathToFileURL(outfile).href);
for (const [path, parts] of Object.entries(await generatedParts())) update(path, parts);

function update(path, parts) {
  const given = readFileSync(path, 'utf8');
  const found = new Set();
  const written = given.replaceAll(
    /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
    (_, start, name, end) => {
      found.add(name);
      if (!Object.hasOwn(parts, name)) fail(`${path}: nothing generates the part "${name}"`);
      return `${start}${parts[name]}\n${end}`;
    },
  );
  const missing = Object.keys(parts).filter((name) => !found.has(name));
  if (missing.length > 0) fail(`${path}: no marker for the generated part "${missing[0]}"`);
  if (written === given) return;
  if (process.argv.includes('--check')) fail(`${path} is out of date: run npm run docs`);
  writeFileSync(path, written);
  console.log(`${path} has changed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
