import { spawn, spawnSync } from 'node:child_process';
import { eventually } from '../../../support/eventually.ts';
import { commonEnv, limits, program, type Surroundings } from './command.ts';

/** A command that runs in a pseudo-terminal, so an operator can answer its questions. */
export interface InTerminal {
  /** Types text or presses keys. Enter is `\r`. */
  type(text: string): void;
  /** Waits until the terminal shows this text. */
  untilShown(text: string): Promise<void>;
  /** Returns everything that the terminal has received, with control sequences. */
  output(): string;
  ended: Promise<{ exitCode: number | null; output: string }>;
}

/**
 * Returns whether the program `script` is installed. It runs a command in a pseudo-terminal. With CI=true, throws if the
 * program is missing.
 */
export function findScript(): boolean {
  if (spawnSync('script', ['--version']).error === undefined) return true;
  const install = 'missing script (apt-get install bsdutils)';
  if (process.env.CI === 'true') throw new Error(`CI needs a pseudo-terminal: ${install}`);
  process.stdout.write(`skipped: commands in a terminal, ${install}\n`);
  return false;
}

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** @param redirect a redirection for the shell, such as `< /dev/null` */
export function startInTerminal(
  words: readonly string[],
  { env = {}, cwd, node = [] }: Surroundings = {},
  redirect = '',
): InTerminal {
  // The terminal has the size 0 × 0 at first.
  const line = `stty rows 24 cols 80; exec ${[process.execPath, ...node, program, ...words].map(quoted).join(' ')} ${redirect}`;
  // Linux and macOS have different versions of `script`.
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', '/bin/sh', '-c', line] : ['-qec', line, '/dev/null'];
  const child = spawn('script', args, {
    cwd,
    env: { ...commonEnv, SHELL: '/bin/sh', TERM: 'xterm-256color', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...limits,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  // The command can end before it reads everything that the test typed.
  child.stdin.on('error', () => {});
  return {
    type: (text) => void child.stdin.write(text),
    untilShown: (text) => eventually(() => output.includes(text)),
    output: () => output,
    ended: new Promise((resolve) => child.once('close', (exitCode) => resolve({ exitCode, output }))),
  };
}
