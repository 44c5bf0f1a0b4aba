// `npm run docs` writes the parts of README.md between the markers `<!-- generated: … -->` and `<!-- /generated -->`.
// With --check, it changes nothing and fails if a part is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const outfile = resolve('node_modules/.cache/latchkey-readme-parts.mjs');
await bundle({ entryPoints: ['scripts/readme-parts.ts'], outfile });
const { readmeParts } = await import(pathToFileURL(outfile).href);

const given = readFileSync('README.md', 'utf8');
const parts = readmeParts();
const found = new Set();
const written = given.replaceAll(
  /(<!-- generated: ([\w-]+) -->\n)[\s\S]*?(<!-- \/generated -->)/g,
  (_, start, name, end) => {
    found.add(name);
    if (!Object.hasOwn(parts, name)) fail(`README.md: nothing generates the part "${name}"`);
    return `${start}${parts[name]}\n${end}`;
  },
);
const missing = Object.keys(parts).filter((name) => !found.has(name));
if (missing.length > 0) fail(`README.md: no marker for the generated part "${missing[0]}"`);
if (written === given) process.exit(0);
if (process.argv.includes('--check')) fail('README.md is out of date: run npm run docs');
writeFileSync('README.md', written);
console.log('README.md has changed.');

function fail(message) {
  console.error(message);
  process.exit(1);
}
