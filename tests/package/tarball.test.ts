import { readdirSync, readFileSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { graphOf, type ImportGraph } from './support/import-graph.ts';
import { installPackage, installTimeout, repository } from './support/installed-package.ts';

let application: string;
let folder: string;
/** What npm has unpacked, by paths from the package's own folder. */
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
  const scripts = files.filter((path) => path.endsWith('.js') && !path.startsWith('dist/dev/web/'));
  graph = graphOf(
    Object.fromEntries(scripts.map((path) => [path, readFileSync(join(folder, path), 'utf8')])),
  );
}, installTimeout);

test('the tarball holds what is run, its types and its documents, and nothing else', () => {
  const wanted = [
    /^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/,
    /^dist\/package\/(index|testing|embedded)\.(js|d\.ts)$/,
    /^dist\/package\/[a-z-]+-[\w-]{8}\.(js|d\.ts)$/,
    /^dist\/service-token\/index\.(js|d\.ts)$/,
    /^dist\/client\/index\.(js|d\.ts)$/,
    /^dist\/cli\/(index|[a-z-]+-[\w-]{8})\.js$/,
    /^dist\/dev\/main\.js$/,
    /^dist\/(cli|dev|dev\/web\/assets)\/LICENSES\.txt$/,
    /^dist\/openapi\.json$/,
    /^dist\/dev\/web\/(index\.html|assets\/(app\.js|app\.css|favicon\.svg))$/,
  ];
  expect(files.filter((path) => !wanted.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(wanted.filter((pattern) => !files.some((path) => pattern.test(path)))).toEqual([]);
  expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE']));
});

test('the tarball is below 550 kB, and unpacked below 2 MB', () => {
  const [tarball = ''] = readdirSync(application).filter((name) => name.endsWith('.tgz'));
  expect(bytesOf(application, [tarball])).toBeLessThan(550_000);
  expect(bytesOf(folder, files)).toBeLessThan(2_000_000);
});

test('no file of it names a source map, or the folder that it was built in', () => {
  const sources = ['src', 'cli', 'examples', 'node_modules'].map((name) => join(repository, name));
  const isTelling = (text: string) =>
    /[#@] ?sourceMappingURL=/.test(text) || sources.some((path) => text.includes(path));
  expect(files.filter((path) => isTelling(readFileSync(join(folder, path), 'utf8')))).toEqual([]);
});

/** The packages that the published scripts import, by whatever form. */
const importedPackages = (): Set<string> =>
  new Set(
    [...graph.values()]
      .flatMap(({ imports }) => imports.map(({ to }) => to))
      .filter((to) => !to.startsWith('dist/') && !isBuiltin(to))
      .map((to) => /^(@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to),
  );

test('it imports every dependency that it declares, and beside them its peers alone', () => {
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const imported = importedPackages();
  expect(Object.keys(dependencies).filter((name) => !imported.has(name))).toEqual([]);
  // The developer tools of React, which Ink asks for where DEV=true, and does without.
  const allowed = ['latchkey', ...Object.keys({ ...dependencies, ...peerDependencies })];
  expect([...imported].filter((name) => !allowed.includes(name))).toEqual([]);
});

test('its terminal program and its example take the service from its entries, and carry no second one', () => {
  for (const part of ['cli', 'dev']) {
    const scripts = [...graph.values()].filter(({ path }) => path.startsWith(`dist/${part}/`));
    const ours = scripts.flatMap(({ imports }) => imports).filter(({ to }) => /^latchkey\b/.test(to));
    expect(new Set(ours.map(({ to }) => to))).toEqual(new Set(['latchkey', 'latchkey/embedded']));
    const outside = scripts.flatMap(({ imports }) => imports).filter(({ to }) => to.startsWith('dist/'));
    expect(outside.filter(({ to }) => !to.startsWith(`dist/${part}/`))).toEqual([]);
    // Only who holds the service knows its tables.
    const statements = scripts
      .flatMap(({ texts }) => texts)
      .filter((text) => /\blatchkey\.users\b/.test(text));
    expect(statements).toEqual([]);
  }
});

interface Installed {
  dev?: boolean;
  hasInstallScript?: boolean;
}

test('the README says how many packages an installation brings, how many megabytes and which scripts', () => {
  const { packages } = JSON.parse(readFileSync(join(application, 'node_modules/.package-lock.json'), 'utf8'));
  const brought = Object.entries(packages as Record<string, Installed>).filter(([, { dev }]) => !dev);
  const megabytes =
    brought.reduce((sum, [path]) => {
      const root = join(application, path);
      const own = filesOf(root).filter((name) => !/(^|\/)node_modules\//.test(name));
      return sum + bytesOf(root, own);
    }, 0) / 1e6;
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const [, count, size, script] =
    /brings (\d+) packages and (\d+) MB, Koa among them\. One has an install script, (\w+),/.exec(readme) ??
    [];
  // Versions of others come and go between ours.
  expect(Math.abs(brought.length / Number(count) - 1)).toBeLessThan(0.1);
  expect(Math.abs(megabytes / Number(size) - 1)).toBeLessThan(0.15);
  const scripted = brought.filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(scripted.map(([path]) => path)).toEqual([`node_modules/${script}`]);
});
