// `npm run mutants` writes small defects (mutants) into copies of the sources, one in each copy, and checks that the tests
// notice each one. The mutants are in tests/mutants/.
//   npm run mutants                     all mutants
//   npm run mutants -- sessions         the mutants with "sessions" in their file, list or description
//   npm run mutants -- --jobs 4         four mutants at the same time (default: 2)
//   npm run mutants -- --at v0.1.0      the sources and tests of another commit, for a comparison
//   npm run mutants -- --record FILE    stores each result, so that the same command continues a run that was stopped
// A mutant survives if the tests pass. It is broken if a test file cannot run with it. The command fails in both cases.
import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installIfNeeded, run } from './install-if-needed.mjs';
import { needsBuild } from './needs-build.mjs';

const { values: options, positionals: words } = parseArgs({
  options: { jobs: { type: 'string', default: '2' }, at: { type: 'string' }, record: { type: 'string' } },
  allowPositionals: true,
});

installIfNeeded();
const { transformSync } = await import('esbuild');
const mutants = (await readMutants()).filter((mutant) => words.every((word) => matches(mutant, word)));
if (mutants.length === 0) fail(`No mutant contains "${words.join(' ')}" in its file, list or description.`);

const record = readRecord();
const recorded = record.results.filter(({ mutant }) => mutants.some((each) => isSame(each, mutant)));
const untried = mutants.filter((mutant) => !recorded.some((result) => isSame(result.mutant, mutant)));
if (untried.length === 0) {
  report(recorded);
  process.exit();
}

const folder = mkdtempSync(join(tmpdir(), 'latchkey-mutants-'));
process.env.LATCHKEY_KEPT_POSTGRES = join(folder, 'postgres');
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const jobs = Math.min(Number(options.jobs), untried.length);
const copies = Array.from({ length: jobs }, (_, job) => join(folder, `${job}`));
for (const copy of copies) prepareCopy(copy);
expectPasses(copies[0]);
const queue = [...untried];
const results = await Promise.all(copies.map((copy) => work(copy, queue)));
report([...recorded, ...results.flat()]);

async function readMutants() {
  const lists = readdirSync('tests/mutants').filter((name) => name !== 'mutant.ts');
  const read = lists.map(async (name) => {
    const { code } = transformSync(readFileSync(join('tests/mutants', name), 'utf8'), { loader: 'ts' });
    const { default: list } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
    return list.map((mutant) => ({ ...mutant, list: basename(name, '.ts') }));
  });
  return (await Promise.all(read)).flat();
}

function matches({ file, breaks, list }, word) {
  return [file, breaks, list].some((text) => text.toLowerCase().includes(word.toLowerCase()));
}

/**
 * Reads what a stopped run has recorded: the results, and the test files that passed without a mutant. The first line
 * names the commit, because results of other sources would not belong to the same table.
 */
function readRecord() {
  const file = options.record;
  if (file === undefined) return { results: [], passed: [] };
  const changes = git('status', '--porcelain').toString().split('\n').filter(Boolean);
  if (!options.at && changes.some((line) => resolve(line.slice(3)) !== resolve(file)))
    fail(
      '--record: expected a work tree without changes. Commit them, so that a later run has the same sources.',
    );
  const commit = git('rev-parse', options.at ?? 'HEAD')
    .toString()
    .trim();
  if (!existsSync(file)) addToRecord({ commit });
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  if (lines[0].commit !== commit)
    fail(
      `--record: ${file} has the results of the commit ${lines[0].commit}. Check out this commit, or choose another file.`,
    );
  return {
    results: lines.filter(({ mutant }) => mutant),
    passed: lines.flatMap(({ passed = [] }) => passed),
  };
}

function addToRecord(entry) {
  if (options.record !== undefined) appendFileSync(options.record, `${JSON.stringify(entry)}\n`);
}

function isSame(a, b) {
  return a.file === b.file && a.replace === b.replace && a.by === b.by && a.breaks === b.breaks;
}

/** Copies the files of the work tree, or of the commit, and links the dependencies. */
function prepareCopy(copy) {
  mkdirSync(join(copy, 'node_modules'), { recursive: true });
  if (options.at) {
    const archive = git('archive', options.at);
    execFileSync('tar', ['-x', '-C', copy], { input: archive });
  } else {
    const files = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').toString().split('\0');
    for (const file of files) if (file && existsSync(file)) cpSync(file, join(copy, file));
  }
  // Not one link for the whole folder, because tests write programs to node_modules/.cache.
  for (const name of readdirSync('node_modules'))
    if (!name.startsWith('.') || name === '.bin')
      symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name));
  // Otherwise, scripts that tests run in the copy would install the dependencies again.
  cpSync('node_modules/.package-lock.json', join(copy, 'node_modules/.package-lock.json'));
}

function git(...args) {
  return execFileSync('git', args, { maxBuffer: 2 ** 28 });
}

/** Runs the tests without a mutant. A test that fails without a mutant cannot detect one. */
function expectPasses(copy) {
  const needed = existing(copy, new Set(untried.flatMap(({ killedBy }) => killedBy)));
  const files = needed.filter((file) => !record.passed.includes(file));
  console.log(`${untried.length} mutants. First, ${files.length} test files run without a mutant…`);
  if (files.length === 0) return;
  if (files.some((file) => needsBuild.test(file)) && !build(copy)) fail('The build failed.');
  run('npx', ['--no-install', 'vitest', 'run', '--bail=1', '--reporter=dot', ...files], process.env, copy);
  addToRecord({ passed: files });
}

/** Takes mutants from the queue until it is empty. @returns the results */
async function work(copy, queue) {
  const tests = startTests(copy);
  const results = [];
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const start = performance.now();
    const outcome = mutant.file.startsWith('src/db/migrations/')
      ? await tryMigration(copy, mutant)
      : await tryMutant(copy, mutant, tests);
    const seconds = (performance.now() - start) / 1000;
    const result = { mutant, seconds, ...outcome };
    results.push(result);
    console.log(line(result));
    addToRecord(result);
  }
  await tests.end();
  return results;
}

/** Tries a mutant of a migration in a process of its own, because each process migrates its template database once. */
async function tryMigration(copy, mutant) {
  const tests = startTests(copy);
  const outcome = await tryMutant(copy, mutant, tests);
  await tests.end();
  return outcome;
}

async function tryMutant(copy, { file, replace, by, killedBy }, tests) {
  const path = join(copy, file);
  const source = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const occurrences = source.split(replace).length - 1;
  if (occurrences !== 1)
    return { verdict: 'broken', reason: `the text to replace occurs ${occurrences} times` };
  const missing = options.at ? [] : killedBy.filter((test) => !existsSync(join(copy, test)));
  if (missing.length) return { verdict: 'broken', reason: `missing: ${missing}` };
  writeFileSync(
    path,
    source.replace(replace, () => by),
  );
  try {
    const files = existing(copy, killedBy);
    if (files.some((test) => needsBuild.test(test)) && !build(copy))
      return { verdict: 'broken', reason: 'the build fails' };
    const { failed, broken } = await tests.run(files, path);
    if (failed) return { verdict: 'killed', reason: failed };
    return broken ? { verdict: 'broken', reason: broken } : { verdict: 'survived', reason: `${files}` };
  } finally {
    writeFileSync(path, source);
    tests.invalidate(path);
  }
}

function existing(copy, files) {
  return [...files].filter((file) => existsSync(join(copy, file)));
}

/** Builds without type declarations, which no test of a mutant reads. */
function build(copy) {
  const { status, stderr } = spawnSync('npx', ['--no-install', 'tsup', '--silent', '--no-dts'], {
    cwd: copy,
  });
  if (status !== 0) process.stderr.write(stderr);
  return status === 0;
}

/** Starts Vitest in the copy. One process runs the tests of all mutants, so it transforms each module only once. */
function startTests(copy) {
  const program = fileURLToPath(new URL('mutant-tests.mjs', import.meta.url));
  const child = fork(program, { cwd: copy, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  return {
    async run(files, changed) {
      child.send({ files, changed });
      const [answer] = await Promise.race([
        once(child, 'message'),
        ended.then(() => [{ broken: 'Vitest ended' }]),
      ]);
      return answer;
    },
    invalidate: (changed) => child.send({ changed }),
    async end() {
      child.disconnect();
      await ended;
    },
  };
}

function report(results) {
  console.log(`\n${'seconds'.padStart(8)}  mutant, and the test that noticed it`);
  const order = ['killed', 'survived', 'broken'];
  for (const verdict of order)
    for (const result of results.filter((each) => each.verdict === verdict)) console.log(line(result));
  const counts = order.map((verdict) => results.filter((each) => each.verdict === verdict).length);
  console.log(`\n${order.map((verdict, n) => `${counts[n]} ${verdict}`).join(', ')}`);
  process.exitCode = counts[0] === results.length ? 0 : 1;
}

function line({ mutant, verdict, reason, seconds }) {
  const mark = verdict === 'killed' ? '' : `${verdict.toUpperCase()} `;
  return `${seconds.toFixed(1).padStart(8)}  ${mark}${mutant.file}: ${mutant.breaks}\n          ${reason}`;
}

function fail(message) {
  throw new Error(message);
}
