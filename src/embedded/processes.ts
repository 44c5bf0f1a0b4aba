import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './file-errors.ts';
import { runProgram } from './run-program.ts';

/** Identifies a process by PID and start time. Without the start time, a reused PID is not detected. */
export type ProcessMark = { pid: number; startedAt: string | null };

/** Reads the kernel's start time of a process. Null on systems other than Linux. */
export function markOf(pid: number): ProcessMark {
  return { pid, startedAt: procStat(pid)?.startedAt ?? null };
}

export function isMarkedProcessAlive(mark: ProcessMark): boolean {
  if (!isAlive(mark.pid)) return false;
  const startedAt = procStat(mark.pid)?.startedAt ?? null;
  return mark.startedAt === null || startedAt === null || mark.startedAt === startedAt;
}

/** Whether the process runs. A zombie counts as dead: it holds no resources. */
export function isAlive(pid: number): boolean {
  return pidExists(pid) && procStat(pid)?.state !== 'Z';
}

/** Whether kill(2) finds the process, as PostgreSQL checks it. Zombies count as existing. */
export function pidExists(pid: number): boolean {
  // kill(2): PIDs below 1 address process groups.
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process runs under another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Returns the command line of a process, joined by spaces, or null if the system does not report it. */
export async function commandLineOf(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (process.platform === 'linux') return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? null;
  const ps = await runProgram('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
  return ps.ok ? ps.output : null;
}

/** Polls until the condition is true. Returns false if the time is over. */
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

/** The command name in parentheses can contain any character, so fields are counted after its end (proc(5)). */
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
