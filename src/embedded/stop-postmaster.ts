import type { ClusterHome } from './cluster-home.ts';
import type { PostgresBinaries } from './packaged-binaries.ts';
import { type Postmaster, readPostmasterFile } from './postmaster-file.ts';
import { isAlive, waitUntil } from './processes.ts';
import { runProgram } from './run-program.ts';

/** Long, because a fast shutdown first writes every changed page to disk. */
const FAST_SHUTDOWN_TIMEOUT_MS = 60_000;
const IMMEDIATE_SHUTDOWN_TIMEOUT_MS = 10_000;

/** Shuts PostgreSQL down, and waits until it has ended. Returns false if it does not end in time. */
export async function stopPostmaster(
  home: ClusterHome,
  postmaster: Postmaster,
  binaries: PostgresBinaries,
): Promise<boolean> {
  if (process.platform === 'win32') {
    // Windows has no signals, so pg_ctl uses a named pipe.
    const stop = await runProgram(binaries.pgCtl, ['stop', '-D', home.data, '-m', 'fast', '-w'], {
      milliseconds: FAST_SHUTDOWN_TIMEOUT_MS,
    });
    return stop.ok;
  }
  // SIGINT: fast shutdown. SIGQUIT: immediate shutdown. After SIGQUIT, the next start recovers the data.
  return (
    (await signalAndWait(home, postmaster.pid, 'SIGINT', FAST_SHUTDOWN_TIMEOUT_MS)) ||
    (await signalAndWait(home, postmaster.pid, 'SIGQUIT', IMMEDIATE_SHUTDOWN_TIMEOUT_MS))
  );
}

async function signalAndWait(
  home: ClusterHome,
  pid: number,
  signal: NodeJS.Signals,
  milliseconds: number,
): Promise<boolean> {
  try {
    process.kill(pid, signal);
  } catch {
    return !isAlive(pid);
  }
  const begun = performance.now();
  // The ended process can stay as a zombie. `isAlive` recognizes zombies only on Linux. PostgreSQL removes the PID file
  // last, so a missing PID file also means that PostgreSQL has ended.
  const isGone = (): boolean =>
    !isAlive(pid) || (performance.now() - begun > 2_000 && readPostmasterFile(home)?.pid !== pid);
  return waitUntil(isGone, milliseconds);
}
