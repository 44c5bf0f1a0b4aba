import type { Budget } from '../core/budgets.ts';
import { second } from '../core/duration.ts';
import { BoundedCounters, type CounterStore } from './bounded-counters.ts';
import type { SharedCounters } from './shared-counters.ts';
import { countingWith, type Tally } from './tally.ts';

/** Where a key stands in its budget, with this request counted. */
export interface Standing {
  passed: boolean;
  limit: number;
  remaining: number;
  /** Milliseconds until the budget is whole again. */
  resetMs: number;
}

export interface BudgetCounter {
  count(key: string): Promise<Standing>;
  /** Whether this is the first refusal of a key in its window. */
  claimFirstRefusal(key: string): boolean;
}

/**
 * Counts against one budget: in this process always, then for all processes together. So a process that loses Redis
 * goes on from what it has counted, and what is refused here costs Redis nothing.
 */
export function createBudgetCounter(
  namespace: string,
  { max, seconds }: Budget,
  store: CounterStore,
  shared: SharedCounters | null,
): BudgetCounter {
  const duration = seconds * second;
  const counters = new BoundedCounters(store, duration);
  const countHere = countingWith({ driver: 'memory', db: counters, namespace, max, duration });
  const countForAll =
    shared && countingWith({ driver: 'redis', db: shared.client, namespace, max, duration });
  const entryOf = (key: string) => `${namespace}:${key}`;

  async function count(key: string): Promise<Standing> {
    const here = standingOf(await countHere(key), counters.msLeft(entryOf(key)));
    if (!here.passed || !countForAll) return here;
    const tally = await shared.ask(() => countForAll(key));
    if (!tally) return here;
    const together = standingOf(tally, tally.reset);
    if (together.remaining > 0) return tighter(here, together);
    // What all have spent together is refused here until their window is over: then waiting that long is enough.
    counters.exhaust(entryOf(key), together.resetMs);
    return together;
  }

  return { count, claimFirstRefusal: (key) => counters.claimFirstRefusal(entryOf(key)) };
}

const standingOf = ({ passed, total, remaining }: Tally, resetMs: number): Standing => ({
  passed,
  limit: total,
  remaining,
  resetMs,
});

/** The one of two that will refuse first, or for longer. */
export function tighter(a: Standing, b: Standing): Standing {
  if (a.remaining !== b.remaining) return a.remaining < b.remaining ? a : b;
  return a.resetMs > b.resetMs ? a : b;
}
