// `npm run docs` writes the generated parts of the documents, between the markers `<!-- generated: … -->` and
// `<!-- /generated -->`, or, in a line, between `<!-- …:start -->` and `<!-- …:end -->`. It also writes the files that
// are completely generated. With --check, it changes nothing and fails if a part is out of date.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { importBundled } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const { generatedFiles, generatedParts } = await importBundled('scripts/generated-parts.ts');
for (const [path, parts] of Object.entries(await generatedParts())) update(path, parts);
for (const [path, text] of Object.entries(generatedFiles())) write(path, text);

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
  write(path, written);
}

function write(path, written) {
  if (existsSync(path) && written === readFileSync(path, 'utf8')) return;
  if (process.argv.includes('--check')) fail(`${path} is out of date: run npm run docs`);
  writeFileSync(path, written);
  console.log(`${path} has changed.`);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
