import type { Backend } from './backend.ts';
import type { Deviation } from './judge.ts';
import type { Operation } from './operation.ts';
import { start } from './scheduler.ts';
import type { SecondInstance } from './two-instances.ts';

export interface CacheExploration {
  schedules: number;
  /** How many session checks the cache has answered. */
  fromCache: number;
  findings: (Deviation & { operations: string; schedule: Situation })[];
}

/** If a notification is lost, the cache can return an outdated session for this long (docs/sessions.md). */
const boundMs = 5_000;

/** Returns the outdated sessions of the second instance. */
type Visit = () => Promise<string[]>;
/** Runs an operation, with visits after each statement and after the last one. */
type RunOperation = (visits: { afterEach?: Visit; afterLast?: Visit }) => Promise<string[]>;

/** What happens at the second instance while the first one runs an operation. */
const courses = {
  /** The notifications of each statement arrive right after it. */
  notified: (second: SecondInstance, run: RunOperation) =>
    run({
      afterEach: async () => {
        await second.deliver();
        return outdatedAt(second);
      },
    }),
  /** No notification arrives, and the bound is over. */
  unreachable: async (second: SecondInstance, run: RunOperation) => {
    try {
      return await run({
        afterLast: async () => {
          await second.lose();
          await second.check();
          second.setClock(boundMs);
          return outdatedAt(second);
        },
      });
    } finally {
      second.setClock(0);
    }
  },
  /** A check reads the rows before the operation changes them, and gets them after the notifications. */
  reading: async (second: SecondInstance, run: RunOperation) => {
    second.evict();
    const receive = await second.checkSlowly();
    return run({
      afterLast: async () => {
        await second.deliver();
        await receive();
        return outdatedAt(second);
      },
    });
  },
  /** The connection that receives notifications ends before the operation. */
  disconnected: async (second: SecondInstance, run: RunOperation) => {
    await second.disconnect();
    try {
      return await run({ afterEach: () => outdatedAt(second) });
    } finally {
      await second.reconnect();
    }
  },
};

export type Situation = keyof typeof courses;
export const situations = Object.keys(courses) as Situation[];
export const isSituation = (text: string): text is Situation => text in courses;

/**
 * Runs an operation at one instance while another one checks sessions with a filled cache. After each course of events,
 * the other instance must know the sessions as they are in the database.
 *
 * @param backend commits the statements, so that the other instance can see them
 */
export async function exploreCaches(
  { backend }: { backend: Backend },
  second: SecondInstance,
  operation: Operation,
  chosen: readonly Situation[] = situations,
): Promise<CacheExploration> {
  const findings: CacheExploration['findings'] = [];
  const before = second.fromCache();
  for (const situation of chosen) {
    await second.check();
    const outdated = await courses[situation](second, (visits) => runVisited(backend, operation, visits));
    if (outdated.length > 0)
      findings.push({
        kind: 'invariant',
        detail: outdated.join('\n'),
        operations: operation.name,
        schedule: situation,
      });
  }
  return { schedules: chosen.length, fromCache: second.fromCache() - before, findings };
}

async function runVisited(
  backend: Backend,
  operation: Operation,
  { afterEach = async () => [], afterLast = async () => [] }: Parameters<RunOperation>[0],
): Promise<string[]> {
  await backend.begin();
  const outdated: string[] = [];
  try {
    const run = await start(operation.run);
    while (run.next) {
      await backend.step(run);
      outdated.push(...(await afterEach()));
    }
    outdated.push(...(await afterLast()));
  } finally {
    await backend.restore();
  }
  return outdated;
}

async function outdatedAt(second: SecondInstance): Promise<string[]> {
  const [checked, read] = [await second.check(), await second.readSessions()];
  return Object.keys(read)
    .filter((name) => checked[name] !== read[name])
    .map((name) => `the second instance says of ${name}: ${checked[name]}, but the database: ${read[name]}`);
}
