import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../cli/catalogue.ts';
import { expectNoStack, fourAtOnce, runCommand } from './support/command.ts';

describe('what cannot be understood is exit code 2, says why and how it goes, and has no stack:', () => {
  test.each([
    [
      'a command that there is not',
      'frobnicate',
      /There is no command `frobnicate`\.[\s\S]+Commands\n[\s\S]+bootstrap/,
    ],
    ['half a command', 'users', /users list[\s\S]+users delete/],
    ['half a command with a wrong half', 'users frobnicate', /users list[\s\S]+users delete/],
    ['no command, where there is no terminal', '', /Commands\n/],
    ['a flag that there is not', 'users list --frobnicate', /--frobnicate/],
    ['too few words', 'users get', /latchkey users get <username>/],
    ['too many words', 'users get ada grace', /latchkey users get <username>/],
    ['words where there are none', 'secret please', /latchkey secret/],
    ['a shell that there is not', 'completion tcsh', /Expected bash, zsh or fish, not `tcsh`/],
    ['a name that every object has', 'completion constructor', /Expected bash, zsh or fish/],
    ['a port that there is not', 'dev --port 70000', /--port: expected a number from 1 to 65535/],
  ])('%s', async (_, line, words) => {
    const ended = await runCommand(line);
    expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(words);
    expectNoStack(ended);
  });
});

test('every command has help that says how it is used, and that is no failure', async () => {
  const names = catalogue.map(({ name }) => name);
  const helped = await fourAtOnce(names, (name) => runCommand(`${name} --help`));
  expect(helped.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(names.map(() => [0, '']));
  for (const [index, { stdout }] of helped.entries()) {
    expect(stdout).toContain(catalogue[index]?.summary);
    expect(stdout).toMatch(new RegExp(`^Usage\\n {2}latchkey ${names[index]}\\b`, 'm'));
    expect(stdout).toContain('--json');
  }
}, 60_000);

test('--help lists every command and the exit codes, --version says which it is', async () => {
  const { exitCode, stdout } = await runCommand('--help');
  expect(exitCode).toBe(0);
  for (const { name, summary } of catalogue)
    expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  expect(stdout).toMatch(/Exit codes: 0 done, 1 failed,\s+2 .+ 3 .+ 4 /);
  const version = await runCommand('--version');
  expect([version.exitCode, version.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});
