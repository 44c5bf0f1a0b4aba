import type { ClusterHome } from './cluster-home.ts';
import type { PostgresBinaries } from './packaged-binaries.ts';
import { type Postmaster, readPostmasterFile } from './postmaster-file.ts';
import { isAlive, waitUntil } from './processes.ts';
import { runProgram } from './run-program.ts';

/** A fast shutdown writes every changed page to the disk first. */
const LONGEST_FAST_SHUTDOWN = 60_000;
const LONGEST_IMMEDIATE_SHUTDOWN = 10_000;

/** Shuts a postmaster down and waits until it is gone; false if it would not go. */
export async function stopPostmaster(
  home: ClusterHome,
  postmaster: Postmaster,
  binaries: PostgresBinaries,
): Promise<boolean> {
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl speaks to the postmaster through a named pipe.
    const stop = await runProgram(binaries.pgCtl, ['stop', '-D', home.data, '-m', 'fast', '-w'], {
      milliseconds: LONGEST_FAST_SHUTDOWN,
    });
    return stop.ok;
  }
  // SIGINT: fast shutdown. SIGQUIT: immediate; the next start recovers.
  return (
    (await signalAndWait(home, postmaster.pid, 'SIGINT', LONGEST_FAST_SHUTDOWN)) ||
    (await signalAndWait(home, postmaster.pid, 'SIGQUIT', LONGEST_IMMEDIATE_SHUTDOWN))
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
  // The file goes when everything else is done. The process can outlast it as a zombie, which not every
  // system lets us recognise, for as long as the server that started it is too busy to collect it.
  const isGone = (): boolean =>
    !isAlive(pid) || (performance.now() - begun > 2_000 && readPostmasterFile(home)?.pid !== pid);
  return waitUntil(isGone, milliseconds);
}
