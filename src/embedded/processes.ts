import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './file-errors.ts';
import { runProgram } from './run-program.ts';

/** A process that can be told from a later one with the same pid, where the system says when it began. */
export type ProcessMark = { pid: number; startedAt: string | null };

/** A pid is reused sooner or later; on Linux the kernel's start time tells the two processes apart. */
export function markOf(pid: number): ProcessMark {
  return { pid, startedAt: procStat(pid)?.startedAt ?? null };
}

export function isMarkedProcessAlive(mark: ProcessMark): boolean {
  if (!isAlive(mark.pid)) return false;
  const startedAt = procStat(mark.pid)?.startedAt ?? null;
  return mark.startedAt === null || startedAt === null || mark.startedAt === startedAt;
}

/** A zombie counts as dead: it holds nothing, and its parent may be too busy to collect it. */
export function isAlive(pid: number): boolean {
  return pidExists(pid) && procStat(pid)?.state !== 'Z';
}

/** What kill(2) says, and PostgreSQL believes: zombies are there. */
export function pidExists(pid: number): boolean {
  // Zero and below mean whole groups of processes.
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It lives, under another user.
    return errorCode(error) === 'EPERM';
  }
}

/** The command line of a process, words joined by spaces, or null where the system does not tell. */
export async function commandLineOf(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (process.platform === 'linux') return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? null;
  const ps = await runProgram('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
  return ps.ok ? ps.output : null;
}

/** Asks again every few milliseconds until the answer is yes; false once the time is up. */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!(await condition())) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** proc(5): the command name, in parentheses, may hold anything; the fields are counted from its end. */
function procStat(pid: number): { state: string; startedAt: string } | null {
  if (process.platform !== 'linux') return null;
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, startedAt] = [fields[0], fields[19]];
  return state !== undefined && startedAt !== undefined ? { state, startedAt } : null;
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
