// `npm run docs` writes the generated files, and the generated parts of the documents. A part is between the markers
// `<!-- generated: … -->` and `<!-- /generated -->`, or, in a line, between `<!-- …:start -->` and `<!-- …:end -->`.
// With --check, it changes nothing and fails if a part is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const outfile = resolve('node_modules/.cache/latchkey-generated-parts.mjs');
await bundle({ entryPoints: ['scripts/generated-parts.ts'], outfile });
const { generatedFiles, generatedParts } = await import(pathToFileURL(outfile).href);
for (const [path, text] of Object.entries(generatedFiles()))
  replace(path, existsSync(path) ? readFileSync(path, 'utf8') : '', text);
for (const [path, parts] of Object.entries(generatedParts())) update(path, parts);

function update(path, parts) {
  const given = readFileSync(path, 'utf8');
  const found = new Set();
  const part = (name) => {
    found.add(name);
    if (!Object.hasOwn(parts, name)) fail(`${path}: nothing generates the part "${name}"`);
    return parts[name];
  };
  const written = given
    .replaceAll(
      /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
      (_, start, name, end) => `${start}${part(name)}\n${end}`,
    )
    .replaceAll(
      /(<!-- ([\w-]+):start -->)[\s\S]*?(<!-- \2:end -->)/g,
      (_, start, name, end) => `${start}${part(name)}${end}`,
    );
  const missing = Object.keys(parts).filter((name) => !found.has(name));
  if (missing.length > 0) fail(`${path}: no marker for the generated part "${missing[0]}"`);
  replace(path, given, written);
}

function replace(path, given, written) {
  if (written === given) return;
  if (process.argv.includes('--check')) fail(`${path} is out of date: run npm run docs`);
  writeFileSync(path, written);
  console.log(`${path} has changed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
