// Packs the package as it is published: `npm run package`, then `npm publish latchkey-<version>.tgz`. Unlike `npm pack`,
// it makes the links of the documents work on npm, and leaves out pictures that no document shows.
//
//   npm run package -- --destination folder
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { importBundled } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

installIfNeeded();
const { values } = parseArgs({ options: { destination: { type: 'string', default: '.' } } });
const destination = resolve(values.destination);
const { filesLinkedFrom, withPackedLinks } = await importBundled('scripts/packed-links.ts');
const temporary = mkdtempSync(join(tmpdir(), 'latchkey-package-'));
try {
  execFileSync('tar', ['-xzf', pack(process.cwd(), temporary), '-C', temporary]);
  const folder = join(temporary, 'package');
  removePictures(folder);
  rewriteLinks(folder);
  console.log(pack(folder, destination));
} finally {
  rmSync(temporary, { recursive: true });
}

/** @returns the path of the tarball */
function pack(folder, to) {
  const options = ['--ignore-scripts', '--silent', '--pack-destination', to];
  return join(to, execFileSync('npm', ['pack', ...options], { cwd: folder, encoding: 'utf8' }).trim());
}

/** Removes the pictures that no document of the package shows. */
function removePictures(folder) {
  const shown = new Set(
    documentsIn(folder).flatMap((path) => filesLinkedFrom(readFileSync(join(folder, path), 'utf8'), path)),
  );
  for (const path of filesIn(folder))
    if (/^docs\/.*\.(png|webp|svg)$/.test(path) && !shown.has(path)) rmSync(join(folder, path));
}

function rewriteLinks(folder) {
  const { name, version, repository } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const contains = (path) => existsSync(join(folder, path));
  for (const path of documentsIn(folder)) {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(folder, path), withPackedLinks(text, path, { name, version, repository, contains }));
  }
}

function documentsIn(folder) {
  return filesIn(folder).filter((path) => /^(docs\/.*|[^/]*)\.(md|txt)$/.test(path));
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    );
}
