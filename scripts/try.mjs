// `npm run try` gives an answer within seconds:
//   npm run try                      the tests of rules, core and the browser client
//   npm run try -- recovery          the test files with "recovery" in their path
//   npm run try -- changed           the tests of files that are changed or new since the last commit
// With a topic, it also runs the authorization matrix and the test of all statements. It leaves out tests that take
// longer, such as races, faults, browser tests and tests with the in-memory database: `npm test` runs everything.
// PostgreSQL's data is kept for the next call.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { buildIfStale } from './build-if-stale.mjs';
import { installIfNeeded, run } from './install-if-needed.mjs';
import { needsBuild } from './needs-build.mjs';

/** Their tests need no PostgreSQL. */
const quickFolders = /^tests\/(rules|core|client)\//;
const always = ['tests/features/authorization-matrix.test.ts', 'tests/features/statements.test.ts'];
const slowFolders = /^tests\/(browser|embedded|faults|operation|package)\//;
const isSlow = (file) => slowFolders.test(file) || /-(races|faults|queue|memory)\.test/.test(file);
const isQuickFile = (file) => quickFolders.test(file) && !isSlow(file);

/** Which topics the source folders have. A folder without an entry is its own topic: `src/recovery`. */
const topicsOfFolder = {
  'src/accounts': ['users', 'superadmins', 'account-deletion', 'takeovers'],
  'src/api': ['http/', 'mass-assignment'],
  'src/audit': ['audit', 'activity'],
  'src/authorization': ['guards'],
  'src/client': ['client/'],
  'src/core': ['core/', 'misuse/'],
  'src/db': ['db/'],
  'src/http': ['http/'],
  'src/invitations': ['features/invitations', 'rules/invitations'],
  'src/organizations': ['organization', 'members'],
  'src/passkeys': [
    'passkey',
    'login',
    'sign-up',
    'registration',
    'assertion',
    'conditional',
    'devices',
    'step-up',
  ],
  'src/roles': ['rules/', 'superadmins', 'users-role'],
  'src/service': ['hooks', 'statistics', 'configuration', 'housekeeping'],
  'src/sessions': ['session', 'ways-in'],
  'src/testing': ['testing/'],
  'src/users': ['users', 'usernames'],
  'cli/commands': ['cli/commands'],
  'cli/screens': ['cli/screens'],
  'examples/server': ['example'],
};

const tests = readdirSync('tests', { recursive: true })
  .map((path) => `tests/${path.replaceAll('\\', '/')}`)
  .filter((path) => /\.test\.tsx?$/.test(path));

installIfNeeded();
const words = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const options = process.argv.slice(2).filter((word) => word.startsWith('-'));
const isQuick = words.length === 0;
const files = isQuick ? tests.filter(isQuickFile) : filesFor(words.flatMap(expand));
if (files.some((file) => needsBuild.test(file))) buildIfStale();
process.env.LATCHKEY_KEPT_POSTGRES = resolve('node_modules/.cache/latchkey-postgres');
if (isQuick) {
  process.env.LATCHKEY_WITHOUT_POSTGRES = 'yes';
  // The other projects have no file to run, but Vitest would start them.
  options.push('--project', 'together');
}
run(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...options, ...files]);

/** @returns the files of the topics, and the tests that hold for every feature */
function filesFor(topics) {
  for (const topic of topics)
    if (!topic.found.length) fail(`No test file has "${topic.word}" in its path. See the names: ls tests/*`);
  const found = topics.flatMap((topic) => topic.found);
  const left = found.filter(isSlow);
  if (left.length) console.log(`Not run here: ${[...new Set(left)].join(', ')}`);
  return [...new Set([...found.filter((file) => !isSlow(file)), ...always])];
}

function expand(word) {
  if (word === 'changed') return changedTopics();
  return [{ word, found: tests.filter((file) => file.includes(word)) }];
}

function changedTopics() {
  const git = (...args) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
  const changed = [
    ...git('diff', '--name-only', 'HEAD'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  if (changed.length === 0)
    fail('No file has changed since the last commit. Name a topic: npm run try -- recovery');
  const topics = new Set(changed.flatMap(topicsOf));
  console.log(`Topics of the changed files: ${[...topics].join(', ') || 'none'}`);
  return [...topics].flatMap(expand);
}

function topicsOf(file) {
  if (file.startsWith('tests/')) return /\.test\.tsx?$/.test(file) ? [file] : [];
  for (let folder = dirname(file); folder !== '.'; folder = dirname(folder))
    if (topicsOfFolder[folder]) return topicsOfFolder[folder];
  const [top, folder, ...rest] = file.split('/');
  return top === 'src' && rest.length > 0 ? [folder] : [];
}

function fail(message) {
  console.error(message);
  process.exit(2);
}
