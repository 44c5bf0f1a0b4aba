// Finds the pictures of the documents that are out of date. It does not take the pictures again to compare them, because
// fonts, versions of Chromium and the time differ between machines. `taken-from.json` has two digests for each picture: of
// everything in this repository that the picture shows, and of the file.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { build } from 'esbuild';

const web = 'examples/server/web';
const messages = `${web}/messages/en`;
const entry = 'entry:';
const largest = 150_000;

/** The pictures of the example server: the name, the width, the theme, and the page that it shows. */
export const pagePictures = [
  ['sign-in', 1440, 'light', 'sign-in-page.tsx'],
  ['home-member', 1440, 'light', 'dashboard-page.tsx'],
  ['security', 1440, 'light', 'security-page.tsx'],
  ['overview', 1440, 'dark', 'overview-page.tsx'],
  ['users', 1440, 'light', 'users-page.tsx'],
  ['person', 1440, 'light', 'person-page.tsx'],
  ['activity', 1440, 'dark', 'activity-page.tsx'],
  ['security', 390, 'dark', 'security-page.tsx'],
].map(([name, width, colorScheme, page]) => ({
  name,
  width,
  colorScheme,
  page,
  file: `${name}-${width}-${colorScheme}.webp`,
}));

export const terminalPicture = 'terminal.svg';

const files = [...pagePictures.map(({ file }) => file), terminalPicture];

/** The folders of the pictures and of the repository, and the file with the digests. Tests use other ones. */
const here = { root: '.', folder: 'docs/screenshots', record: 'scripts/screenshots/taken-from.json' };

/** Everything in the repository that each picture shows, as a digest. */
async function digestsOfSources({ root } = here) {
  const code = await codeOf(root, {
    ...Object.fromEntries(pagePictures.map(({ file, name, page }) => [file, sourcesOfPage(name, page)])),
    [terminalPicture]: ['cli/screens/home/home-screen.tsx', ...scriptsOf('terminal', 'terminal-svg')],
    data: scriptsOf('data', 'names', 'activity'),
  });
  const digests = { [terminalPicture]: digest(code[terminalPicture]) };
  for (const { file, name, width, colorScheme } of pagePictures) {
    const texts = JSON.stringify(messagesIn(code[file], root));
    const data = isForVisitors(name) ? '' : code.data;
    digests[file] = digest(code[file], texts, data, `${width} ${colorScheme}`);
  }
  return digests;
}

const isForVisitors = (name) => name === 'sign-in';

const scriptsOf = (...names) => names.map((name) => `scripts/screenshots/${name}.mjs`);

/** Visitors load neither the layout nor the styles of the other pages. */
const sourcesOfPage = (name, page) => [
  `${web}/styles/index.css`,
  `${web}/app.tsx`,
  `${web}/pages/${page}`,
  ...(isForVisitors(name) ? [] : [`${web}/styles/console.css`, `${web}/layout/shell.tsx`]),
];

/** The pictures that are missing or out of date, each with the reason. */
export async function stalePictures(places = here) {
  const taken = readRecord(places);
  const sources = await digestsOfSources(places);
  return files.flatMap((file) => {
    const [path, source] = [join(places.folder, file), sources[file]];
    if (!existsSync(path)) return [{ file, reason: 'is missing' }];
    if (taken[file]?.source !== source) return [{ file, reason: 'was taken from other sources' }];
    if (taken[file].picture !== digest(readFileSync(path)))
      return [{ file, reason: 'is not the picture that was taken' }];
    return statSync(path).size < largest ? [] : [{ file, reason: `has ${largest} bytes or more` }];
  });
}

/** @public The files in the folder that no script takes. pictures.test.ts imports it by its URL. */
export function strayPictures({ folder } = here) {
  return readdirSync(folder).filter((name) => !files.includes(name));
}

/** Records from which sources pictures were taken. */
export async function recordPictures(paths, places = here) {
  const sources = await digestsOfSources(places);
  const taken = readRecord(places);
  for (const path of paths) {
    const file = basename(path);
    taken[file] = { source: sources[file], picture: digest(readFileSync(path)) };
  }
  const sorted = Object.fromEntries(Object.entries(taken).sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(places.record, `${JSON.stringify(sorted, null, 2)}\n`);
}

const readRecord = ({ record }) => (existsSync(record) ? JSON.parse(readFileSync(record, 'utf8')) : {});

function digest(...parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}

/**
 * The modules and styles that the files of each entry import, without comments and formatting. Leaves out what shows
 * nothing: the pages that are loaded later, the browser client, the service, and packages.
 *
 * @param entries the paths of the files, by a name
 * @returns the code, by the same name
 */
async function codeOf(root, entries) {
  const { outputFiles } = await build({
    entryPoints: Object.keys(entries).map((name) => ({ in: `${entry}${name}`, out: name })),
    absWorkingDir: resolve(root),
    bundle: true,
    write: false,
    outdir: 'out',
    packages: 'external',
    platform: 'neutral',
    target: 'es2022',
    tsconfig: join(root, 'tsconfig.web.json'),
    minify: true,
    // Otherwise, `sideEffects` of package.json leaves out every module whose exports the entry does not use.
    ignoreAnnotations: true,
    logLevel: 'error',
    plugins: [
      { name: 'what a picture shows', setup: (plugin) => resolveVisible(plugin, resolve(root), entries) },
    ],
  });
  const code = Object.fromEntries(Object.keys(entries).map((name) => [name, '']));
  for (const { path, text } of outputFiles) code[basename(path).replace(/\.(js|css)$/, '')] += text;
  return code;
}

function resolveVisible({ onLoad, onResolve }, root, entries) {
  onResolve({ filter: /./ }, ({ kind, path }) => {
    if (path.startsWith(entry)) return { path: path.slice(entry.length), namespace: 'entry' };
    const isNotShown = /^latchkey(\/(client|embedded))?$|client\/index\.ts$/.test(path);
    const isInvisible = kind === 'dynamic-import' || isNotShown;
    return isInvisible ? { path, external: true } : undefined;
  });
  onLoad({ filter: /./, namespace: 'entry' }, ({ path }) => ({
    // An import without names would leave out the functions that a module only exports.
    contents: entries[path]
      .map(
        (file, index) => `${file.endsWith('.css') ? 'import' : `export * as part${index} from`} './${file}';`,
      )
      .join('\n'),
    resolveDir: root,
  }));
  // `messagesIn` adds the messages that the page uses.
  onLoad({ filter: /messages[\\/]\w+[\\/]\w+\.json$/ }, () => ({ contents: '{}', loader: 'json' }));
}

/** The English messages whose keys, such as `users.title`, are in the code. A key can end with a value: `events.${name}`. */
function messagesIn(code, root) {
  const used = {};
  for (const area of readdirSync(join(root, messages)).map((name) => basename(name, '.json'))) {
    const all = JSON.parse(readFileSync(join(root, messages, `${area}.json`), 'utf8'));
    const keys = [...code.matchAll(new RegExp(`["'\`]${area}\\.(\\w*)(["'\`]|\\$\\{)`, 'g'))];
    for (const [, name, end] of keys)
      for (const [message, text] of Object.entries(all))
        if (end === '${' ? message.startsWith(name) : message === name) used[`${area}.${message}`] = text;
  }
  return Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1));
}
