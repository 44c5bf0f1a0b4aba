import type { Database } from '../../core/database.ts';
import { second } from '../../core/duration.ts';
import type { LogProgress } from '../../core/log-progress.ts';
import { selectLastPosition } from '../store/positions.ts';

/** The pause between two reads of the size of the log grows from the first to the second value. */
const pauses = { shortest: 100, longest: second } as const;

interface Waiter {
  /** Undefined: the waiter waits only for its time. */
  position: bigint | null | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Reads the last position of the log while at least one reader waits. All readers of a process share this one statement
 * for each pause, so a thousand readers cost the database as much as one. It needs no connection of its own, so it works
 * behind a transaction pooler.
 */
export function createLogProgress(db: Database): LogProgress {
  const waiters = new Set<Waiter>();
  const running = new Set<Promise<unknown>>();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let pause: number = pauses.shortest;
  let closed = false;

  const readers = () => [...waiters].filter(({ position }) => position !== undefined);

  async function read(): Promise<void> {
    const asked = readers();
    try {
      const [row] = await db.query<{ position: string | null }>(selectLastPosition);
      const last = row?.position == null ? null : BigInt(row.position);
      const woken = asked.filter(({ position }) => position !== last);
      pause = woken.length > 0 ? pauses.shortest : Math.min(pauses.longest, pause * 1.5);
      for (const waiter of woken) waiter.resolve();
    } catch (error) {
      pause = pauses.longest;
      for (const waiter of asked) waiter.reject(error);
    }
  }

  function schedule(): void {
    if (timer !== undefined || isReading || closed || readers().length === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      isReading = true;
      void during(read).then(() => {
        isReading = false;
        schedule();
      });
    }, pause);
  }

  async function during<T>(work: () => Promise<T>): Promise<T> {
    const promise = work();
    running.add(promise);
    try {
      return await promise;
    } finally {
      running.delete(promise);
    }
  }

  const wait = (position: Waiter['position'], { ms, signal }: Parameters<LogProgress['pause']>[0]) =>
    new Promise<void>((resolve, reject) => {
      if (closed || signal?.aborted) return resolve();
      const settled = (settle: (error: unknown) => void) => (error?: unknown) => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', stop);
        waiters.delete(waiter);
        if (readers().length === 0) {
          clearTimeout(timer);
          timer = undefined;
        }
        settle(error);
      };
      const stop = settled(() => resolve());
      const waiter: Waiter = { position, resolve: stop, reject: settled(reject) };
      const limit = setTimeout(stop, ms);
      signal?.addEventListener('abort', stop);
      if (readers().length === 0) pause = pauses.shortest;
      waiters.add(waiter);
      schedule();
    });

  return {
    beyond: wait,
    pause: (waiting) => wait(undefined, waiting),
    during,
    get closed() {
      return closed;
    },
    close: async () => {
      closed = true;
      for (const waiter of waiters) waiter.resolve();
      await Promise.allSettled(running);
    },
  };
}
