import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { dictionary } from '@zxcvbn-ts/language-common';
import { beforeAll, expect, test } from 'vitest';
import { deadLinksIn } from '../../scripts/dead-links.ts';
import { linksIn } from '../../scripts/markdown-links.ts';
import { graphOf, type ImportGraph } from './support/import-graph.ts';
import { installPackage, repository } from './support/installed-package.ts';

let application: string;
let folder: string;
/** The paths of the unpacked files, relative to the folder of the package. */
let files: string[];
let graph: ImportGraph;

const filesOf = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
const bytesOf = (directory: string, names: string[]): number =>
  names.reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);

beforeAll(async () => {
  application = await installPackage();
  folder = join(application, 'node_modules/latchkey');
  files = filesOf(folder);
  const modules = files.filter((path) => /\.(js|d\.ts)$/.test(path) && !path.startsWith('dist/dev/web/'));
  graph = graphOf(
    Object.fromEntries(modules.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
  );
});

test('the tarball contains only the programs, types, documents and scripts for migrations', () => {
  const wanted = [
    /^(package\.json|README\.md|CHANGELOG\.md|AGENTS\.md|llms\.txt|LICENSE)$/,
    /^docs\/([\w-]+\/)*[\w-]+\.md$/,
    /^docs\/([\w-]+\/)*[\w-]+\.(webp|svg|png)$/,
    /^examples\/migrate\/[\w.-]+\.(mjs|ts)$/,
    /^dist\/package\/(index|testing|embedded)\.(js|d\.ts)$/,
    /^dist\/package\/[a-z-]+-[\w-]{8}\.(js|d\.ts)$/,
    /^dist\/service-token\/index\.(js|d\.ts)$/,
    /^dist\/client\/index\.(js|d\.ts)$/,
    /^dist\/elements\/(index|sign-in|sign-up|passkeys|step-up|de)\.(js|d\.ts)$/,
    /^dist\/elements\/[a-z-]+-[\w-]{8}\.(js|d\.ts)$/,
    /^dist\/cli\/(index|[a-z-]+-[\w-]{8})\.js$/,
    /^dist\/dev\/main\.js$/,
    /^dist\/(package|service-token|client|cli|dev|dev\/web\/assets)\/LICENSES\.txt$/,
    /^dist\/(openapi|audit-events)\.json$/,
    /^dist\/dev\/web\/(index\.html|assets\/(app\.js|app\.css|console\.css|before-paint\.js|favicon\.svg))$/,
    /^dist\/dev\/web\/assets\/[a-z-]+-[A-Z0-9]{8}\.js$/,
    /^dist\/dev\/web\/assets\/fonts\/atkinson-hyperlegible-next-latin-wght-normal\.woff2$/,
  ];
  expect(files.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(wanted.filter((pattern) => !files.some((path) => pattern.test(path)))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE']));
});

// The documents and their pictures are more than a third of the tarball.
test('the tarball is smaller than 2 MB, and its unpacked files are smaller than 7 MB', () => {
  const [tarball = ''] = readdirSync(application).filter((name) => name.endsWith('.tgz'));
  expect(bytesOf(application, [tarball])).toBeLessThan(2_000_000);
  expect(bytesOf(folder, files)).toBeLessThan(7_000_000);
});

test('the links of the packed README are absolute, and those to published files name files of the package', () => {
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const published = `https://unpkg.com/latchkey@${version}/`;
  const targets = linksIn(readFileSync(join(folder, 'README.md'), 'utf8')).map(({ target }) => target);
  expect(targets.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
  const paths = targets.filter((target) => target.startsWith(published));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !files.includes(path.slice(published.length).replace(/#.*/, '')))).toEqual(
    [],
  );
});

test('the documents in the package link only to files and headings of the package', () => {
  const inPackage = {
    exists: (path: string) => existsSync(join(folder, path)),
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
  };
  const documents = files.filter((path) => /^(docs\/.*|AGENTS|CHANGELOG|llms)\.(md|txt)$/.test(path));
  expect(documents).toContain('docs/reference/options.md');
  expect(documents.flatMap((path) => deadLinksIn(path, inPackage))).toEqual([]);
});

test('the package contains only pictures that a document shows', () => {
  const pictures = files.filter((path) => /^docs\/.*\.(webp|svg|png)$/.test(path));
  const texts = files
    .filter((path) => path.endsWith('.md'))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
  expect(
    pictures.filter((path) => !texts.some((text) => text.includes(path.split('/').at(-1) ?? ''))),
  ).toEqual([]);
});

test('the styles of the pages load only fonts that are in the package', () => {
  const styles = readFileSync(join(folder, 'dist/dev/web/assets/app.css'), 'utf8');
  const fonts = [...styles.matchAll(/url\("([^"]+\.woff2)"\)/g)].map(([, path]) => `dist/dev/web${path}`);
  expect(fonts).toEqual(files.filter((path) => path.endsWith('.woff2')));
});

test('no file of the package refers to a source map or the build folder', () => {
  const sources = ['src', 'cli', 'examples', 'node_modules'].map((name) => join(repository, name));
  const hasReference = (text: string) =>
    /[#@] ?sourceMappingURL=/.test(text) || sources.some((path) => text.includes(path));
  expect(files.filter((path) => hasReference(readFileSync(join(folder, path), 'utf8')))).toEqual([]);
});

test('the scripts of the elements import only each other and the script of the client, so a browser can load them', () => {
  const scripts = [...graph.values()].filter(({ path }) => /^dist\/elements\/.*\.js$/.test(path));
  const imports = scripts.flatMap(({ imports }) => imports.map(({ to }) => to));
  expect(imports).toContain('dist/client/index.js');
  expect(imports.filter((to) => !/^dist\/(elements\/[\w-]+|client\/index)\.js$/.test(to))).toEqual([]);
});

/** Returns the packages that the published scripts and types import in any form. */
const importedPackages = (): Set<string> =>
  new Set(
    [...graph.values()]
      .flatMap(({ imports }) => imports.map(({ to }) => to))
      .filter((to) => !to.startsWith('dist/') && !isBuiltin(to))
      .map((to) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to),
  );

test('the package imports every dependency; all other imported packages are peer dependencies', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const imported = importedPackages();
  expect(Object.keys(dependencies).filter((name) => !imported.has(name))).toEqual([]);
  // The bundled Ink would import React's developer tools only with DEV=true.
  const allowed = ['latchkey', ...Object.keys({ ...dependencies, ...peerDependencies })];
  expect([...imported].filter((name) => !allowed.includes(name))).toEqual([]);
});

test('the `latchkey` command and the example server import the service and do not bundle it', () => {
  for (const part of ['cli', 'dev']) {
    const scripts = [...graph.values()].filter(({ path }) => path.startsWith(`dist/${part}/`));
    const ours = scripts.flatMap(({ imports }) => imports).filter(({ to }) => /^latchkey\b/.test(to));
    expect(new Set(ours.map(({ to }) => to))).toEqual(new Set(['latchkey', 'latchkey/embedded']));
    const outside = scripts.flatMap(({ imports }) => imports).filter(({ to }) => to.startsWith('dist/'));
    expect(outside.filter(({ to }) => !to.startsWith(`dist/${part}/`))).toEqual([]);
    // A bundled service would contain the names of tables.
    const statements = scripts
      .flatMap(({ texts }) => texts)
      .filter((text) => /\blatchkey\.users\b/.test(text));
    expect(statements).toEqual([]);
  }
});

test('the package contains every common password that has at least eight characters', async () => {
  const list = [...graph.values()].find(
    ({ texts }) => texts.includes('passwords-common') && texts.some(({ length }) => length > 50_000),
  );
  const { dictionary: published } = await import(join(folder, `${list?.path}`));
  const original = dictionary['passwords-common'].filter((password) => [...password].length >= 8);
  expect(new Set(published['passwords-common'])).toEqual(new Set(original));
});

test('the package contains the licenses of bundled packages', () => {
  const licenses = readFileSync(join(folder, 'dist/package/LICENSES.txt'), 'utf8');
  for (const name of ['@zxcvbn-ts/language-common', '@noble/curves', 'lru-cache', 'valibot'])
    expect(licenses).toContain(`${name} `);
});

test('of the dependencies, only bcrypt has an install script', () => {
  // The lock file, because a dependency can have another release at any time.
  const { packages } = JSON.parse(readFileSync(join(repository, 'package-lock.json'), 'utf8'));
  const scripted = Object.entries<{ dev?: boolean; hasInstallScript?: boolean }>(packages)
    .filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
    .map(([path]) => path);
  expect(scripted).toEqual(['node_modules/bcrypt']);
});
