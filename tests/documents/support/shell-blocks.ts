import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { commonEnv, limits, program } from '../../cli/commands/support/command.ts';

/** The result of a shell block. */
export interface ShellResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  /** The folder in which the block ran. It is deleted after the test. */
  folder: string;
}

interface ShellSettings {
  /** Environment variables, in addition to those of all commands in the tests. */
  env?: Record<string, string | undefined>;
  /** The folder in which the block runs. Default: a new empty folder. */
  folder?: string;
  /** Scripts that replace programs, for example `{ systemctl: 'echo "$@"' }`. */
  programs?: Record<string, string>;
}

/** Creates an empty folder, which is deleted after the test. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/**
 * Runs a shell block of a document with bash, and stops at the first command that fails. `latchkey` and `npx latchkey` are
 * the built command.
 */
export async function runShell(
  code: string,
  { env = {}, folder = createFolder(), programs = {} }: ShellSettings = {},
): Promise<ShellResult> {
  const bin = join(createFolder(), 'bin');
  mkdirSync(bin);
  const latchkey = `exec '${process.execPath}' '${program}' "$@"`;
  const npx = 'exec "$@"';
  for (const [name, script] of Object.entries({ latchkey, npx, ...programs })) {
    writeFileSync(join(bin, name), `#!/bin/bash\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const child = spawn('bash', ['-e', '-u', '-o', 'pipefail', '-c', code], {
    cwd: folder,
    env: { ...commonEnv, ...env, PATH: `${bin}:${env.PATH ?? commonEnv.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...limits,
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (written.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (written.stderr += text));
  return new Promise((resolve) => {
    child.once('close', (exitCode) => resolve({ exitCode, folder, ...written }));
  });
}
