import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../cli/catalogue.ts';
import { expectNoStack, fourAtOnce, runCommand } from './support/command.ts';

describe('`latchkey` exits with 2 and prints the usage without a stack trace', () => {
  test.each([
    [
      'for an unknown command',
      'frobnicate',
      /Unknown command "frobnicate"\.[\s\S]+Commands\n[\s\S]+bootstrap/,
    ],
    [
      'for an incomplete command',
      'users',
      /Incomplete command "users"\.[\s\S]+users list[\s\S]+users delete/,
    ],
    ['for an unknown second word', 'users frobnicate', /users list[\s\S]+users delete/],
    ['if no command is given and there is no terminal', '', /Commands\n/],
    ['for an unknown flag', 'users list --frobnicate', /Unknown flag --frobnicate\./],
    [
      'for a missing argument',
      'users get',
      /Missing argument <username>\.\s+Usage: latchkey users get <username>/,
    ],
    [
      'for an additional argument',
      'users get ada grace',
      /Unexpected argument "grace"\.\s+Usage: latchkey users get <username>/,
    ],
    ['for an argument of a command that takes none', 'secret please', /Unexpected argument "please"\./],
    ['for an unknown shell', 'completion tcsh', /Unknown shell "tcsh"\. Expected bash, zsh or fish\./],
    [
      'for an unknown shell with the name constructor, which is also a property of every object',
      'completion constructor',
      /Expected bash, zsh or fish/,
    ],
    ['for an invalid port', 'dev --port 70000', /--port: expected a whole number from 1 to 65535, not 70000/],
  ])('%s', async (_, line, words) => {
    const ended = await runCommand(line);
    expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(words);
    expectNoStack(ended);
  });
});

test('every command prints its help and exits with 0', async () => {
  const names = catalogue.map(({ name }) => name);
  const helped = await fourAtOnce(names, (name) => runCommand(`${name} --help`));
  expect(helped.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(names.map(() => [0, '']));
  for (const [index, { stdout }] of helped.entries()) {
    expect(stdout).toContain(catalogue[index]?.summary);
    expect(stdout).toMatch(new RegExp(`^Usage: latchkey ${names[index]}\\b`, 'm'));
    expect(stdout).toContain('--json');
    const readsSettings = !['completion', 'secret', 'dev'].includes(names[index] ?? '');
    for (const flag of ['--config', '--dotenv']) expect(stdout.includes(flag)).toBe(readsSettings);
  }
});

test('`latchkey --help` prints every command and the exit codes, and `latchkey --version` prints the version', async () => {
  const { exitCode, stdout } = await runCommand('--help', { env: { IMPERSONATION: 'on' } });
  expect(exitCode).toBe(0);
  for (const { name, summary } of catalogue)
    expect(stdout).toMatch(new RegExp(`^  ${name} +${summary}$`, 'm'));
  expect(stdout).toMatch(/^Exit codes\n {2}0 {2}Done\n {2}1 .+\n {2}2 .+\n {2}3 .+\n {2}4 .+\n {2}5 /m);
  const version = await runCommand('--version');
  expect([version.exitCode, version.stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});
