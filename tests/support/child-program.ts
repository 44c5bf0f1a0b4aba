import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './program-bundle.ts';

const repository = fileURLToPath(new URL('../../', import.meta.url));

/** A TypeScript program of the tests, made runnable. */
export interface ChildProgram {
  /**
   * Runs it in several processes that begin their work at the same moment: each says that it is ready, waits for a
   * line on its standard input, and answers with one line of JSON.
   */
  runAtOnce(count: number, options?: { args?: string[]; cwd?: string }): Promise<ChildAnswer[]>;
  remove(): void;
}

/** What a process answered, or what it wrote to stderr where it did not. */
export interface ChildAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each program has an answer of its own shape
  answer: any;
  errors: string;
}

/** @param path of the program, from the root of the repository */
export async function buildChildProgram(path: string): Promise<ChildProgram> {
  const script = await bundleProgram(path, `${path.replace(/\W/g, '-')}-${process.pid}.mjs`);
  return {
    async runAtOnce(count, { args = [], cwd = repository } = {}) {
      const children = Array.from({ length: count }, () => {
        const child = spawn(process.execPath, [script, ...args], { cwd, stdio: 'pipe' });
        return { child, lines: linesOf(child), errors: collect(child) };
      });
      // 'ready', or nothing where the program failed before; the answer then tells.
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
