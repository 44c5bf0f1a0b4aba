import { execFile } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withoutTimeLimits } from '../support/without-time-limits.ts';
import { readGuide } from './support/guide.ts';
import { writeApp } from './support/start-app.ts';

const guide = readGuide('docs/start/first-test.md');
const run = promisify(execFile);

/** Runs the tests of the page with an app, and returns the numbers of passed and failed tests. */
async function runTests(app: string): Promise<{ passed: number; failed: number }> {
  const folder = writeApp({ 'app.mjs': app, 'app.test.mjs': guide.block("from 'node:test'") });
  const [program = '', ...args] = guide.block('node --test').trim().split(' ');
  const env = { PATH: process.env.PATH, ...withoutTimeLimits };
  const { stdout } = await run(program, [...args, '--test-reporter=tap'], { cwd: folder, env }).catch(
    (failure) => failure,
  );
  rmSync(folder, { recursive: true });
  const count = (name: string) => Number(new RegExp(`^# ${name} (\\d+)$`, 'm').exec(stdout)?.[1]);
  return { passed: count('pass'), failed: count('fail') };
}

const app = `${/```js\n([^`]*createApp\(auth\) \{[^`]*`?)```/.exec(readFileSync('docs/start/first-server.md', 'utf8'))?.[1]}`;

test('the tests of the page pass with the app of first-server.md', async () => {
  expect(await runTests(app)).toEqual({ passed: 3, failed: 0 });
});

test('the tests of the page fail if the app does not require a session', async () => {
  const open = app
    .replace('app.use(requireSession(auth));', '')
    .replace('ctx.state.auth.user.username', "'ada'");
  expect(open).not.toBe(app);
  expect(await runTests(open)).toEqual({ passed: 1, failed: 2 });
});

test('the page installs the package that the in-memory database needs', () => {
  const { peerDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const [, name = ''] = /^npm install --save-dev (\S+)\n$/.exec(guide.block('npm install')) ?? [];
  expect(Object.keys(peerDependencies)).toContain(name);
});
