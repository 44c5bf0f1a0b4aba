import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './program-bundle.ts';
import { withoutTimeLimits } from './without-time-limits.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A bundled TypeScript program that tests run in child processes. */
export interface ChildProgram {
  /**
   * Runs the program in `count` processes that start their work at the same time. Each process prints a line when it is
   * ready, waits for a line on standard input, and prints its result as one line of JSON.
   */
  runAtOnce(count: number, options?: ChildOptions): Promise<ChildAnswer[]>;
  remove(): void;
}

export interface ChildOptions {
  args?: string[];
  cwd?: string;
  /** Words before `node`, such as `setpriv`. */
  prefix?: readonly string[];
}

/** The result of one process: its JSON (undefined if the process printed none) and its stderr. */
export interface ChildAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the program
  answer: any;
  errors: string;
}

/** @param path the path of the program, relative to the repository root */
export async function buildChildProgram(path: string): Promise<ChildProgram> {
  const script = await bundleProgram(path, `${path.replace(/\W/g, '-')}-${process.pid}.mjs`);
  return {
    async runAtOnce(count, { args = [], cwd = repository, prefix = [] } = {}) {
      const env = { ...process.env, ...withoutTimeLimits };
      const children = Array.from({ length: count }, () => {
        const [command = '', ...words] = [...prefix, process.execPath, script, ...args];
        const child = spawn(command, words, { cwd, env, stdio: 'pipe' });
        return { child, lines: linesOf(child), errors: collect(child) };
      });
      // The first line is 'ready'. If the program failed, the stream ends without a line, and the result is undefined.
      await Promise.all(children.map(({ lines }) => lines.next()));
      for (const { child } of children) child.stdin.end('go\n');
      return Promise.all(
        children.map(async ({ lines, errors }) => {
          const { value } = await lines.next();
          return { answer: value === undefined ? undefined : JSON.parse(value), errors: await errors };
        }),
      );
    },
    remove: () => rmSync(script, { force: true }),
  };
}

async function* linesOf({ stdout }: ChildProcess): AsyncGenerator<string, undefined> {
  if (stdout) yield* createInterface(stdout);
  return undefined;
}

async function collect({ stderr }: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of stderr ?? []) text += part;
  return text;
}
