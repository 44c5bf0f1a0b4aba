// Writes docs/reference/api/ from the exported types and their comments. `npm run docs` runs it. With --check, it changes
// nothing and fails if a page is out of date, or if TypeDoc has a warning, for example about a type that is not exported.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importBundled } from './bundle.mjs';
import { installIfNeeded } from './install-if-needed.mjs';

const folder = 'docs/reference/api';
/** The files of TypeDoc, in the order of the index, with the entry of the package that each describes. */
const entries = {
  index: 'latchkey',
  client: 'latchkey/client',
  elements: 'latchkey/elements',
  testing: 'latchkey/testing',
  embedded: 'latchkey/embedded',
  'service-token': 'latchkey/service-token',
};

const pageOf = (name) => (name === 'index' ? 'latchkey.md' : `${name}.md`);

installIfNeeded();
const { compact, indexOf } = await importBundled('scripts/api-markdown.ts');
const pages = await generatedPages();
const outdated = Object.keys(pages).filter((name) => readIfExists(join(folder, name)) !== pages[name]);
const superfluous = readdirIfExists(folder).filter((name) => !Object.hasOwn(pages, name));
if (process.argv.includes('--check')) {
  for (const name of [...outdated, ...superfluous])
    console.error(`${folder}/${name} is out of date: run npm run docs`);
  if (outdated.length + superfluous.length > 0) process.exit(1);
} else {
  mkdirSync(folder, { recursive: true });
  for (const name of superfluous) rmSync(join(folder, name));
  for (const name of outdated) writeFileSync(join(folder, name), pages[name]);
  for (const name of [...outdated, ...superfluous]) console.log(`${folder}/${name} has changed.`);
}

/** The text of each page, by the name of its file. */
async function generatedPages() {
  const output = mkdtempSync(join(tmpdir(), 'latchkey-api-'));
  try {
    await runTypeDoc(output);
    const texts = Object.entries(entries).map(([name, entry]) => {
      const text = readFileSync(join(output, `${name}.md`), 'utf8');
      return [pageOf(name), compact(text.replace(`# ${name}\n`, `# ${entry}\n`))];
    });
    const named = Object.fromEntries(texts);
    return { 'README.md': indexOf(named), ...named };
  } finally {
    rmSync(output, { recursive: true });
  }
}

async function runTypeDoc(output) {
  // TypeDoc is imported here, because on a fresh clone `installIfNeeded` installs it.
  const { Application } = await import('typedoc');
  const options = { options: 'typedoc.json', skipErrorChecking: true, out: output };
  const application = await Application.bootstrapWithPlugins(options);
  const project = await application.convert();
  if (project) {
    application.validate(project);
    if (!application.logger.hasWarnings()) await application.generateOutputs(project);
  }
  if (!project || application.logger.hasWarnings() || application.logger.hasErrors()) process.exit(1);
}

function readIfExists(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function readdirIfExists(path) {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
