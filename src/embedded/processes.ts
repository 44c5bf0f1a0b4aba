import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from './file-errors.ts';
import { runProgram } from './run-program.ts';

/** Identifies a process by PID and start time, because the system can reuse a PID. A null start time is unknown. */
export type ProcessMark = { pid: number; startedAt: string | null };

/** Returns the mark of a process. The start time is null on systems other than Linux. */
export function markOf(pid: number): ProcessMark {
  return { pid, startedAt: procStat(pid)?.startedAt ?? null };
}

export function isMarkedProcessAlive(mark: ProcessMark): boolean {
  if (!isAlive(mark.pid)) return false;
  const startedAt = procStat(mark.pid)?.startedAt ?? null;
  return mark.startedAt === null || startedAt === null || mark.startedAt === startedAt;
}

/** Whether the process runs. False for a zombie, which holds no resources. */
export function isAlive(pid: number): boolean {
  return pidExists(pid) && procStat(pid)?.state !== 'Z';
}

/** Whether a process has this PID. True for a zombie. PostgreSQL uses the same check, kill(2). */
export function pidExists(pid: number): boolean {
  // For kill(2), numbers below 1 mean process groups.
  if (!Number.isInteger(pid) || pid < 1) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists, but belongs to another system user.
    return errorCode(error) === 'EPERM';
  }
}

/** Returns the program and the parameters of a process, joined by spaces. Null if the system does not report them. */
export async function commandLineOf(pid: number): Promise<string | null> {
  if (process.platform === 'win32') return null;
  if (process.platform === 'linux') return readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? null;
  const ps = await runProgram('/bin/ps', ['-ww', '-o', 'args=', '-p', String(pid)]);
  return ps.ok ? ps.output : null;
}

/** Waits until the condition is true. Returns false if this takes longer than `milliseconds`. */
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

/** Reads /proc/PID/stat (see proc(5)). Counts fields after the last `)`, because the command name can contain `)`. */
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
