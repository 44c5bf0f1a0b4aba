import type { Effect, Model } from './operation.ts';

/** With more states, no operation counts as a read. This is slower, but the verdict is the same. */
const mostStates = 64;

/** Returns a test whether an operation changes no state that the history can reach. */
export function readsIn(model: Model, effects: readonly Effect[]): (effect: Effect) => boolean {
  const distinct = [...new Map(effects.map((effect) => [idOf(effect), effect])).values()];
  const states = new Set([model.initial]);
  // A set also iterates over the states that are added meanwhile.
  for (const state of states)
    for (const effect of distinct) {
      const next = model.step(state, effect);
      if (next !== null) states.add(next);
      if (states.size > mostStates) return () => false;
    }
  const changesNothing = (effect: Effect) =>
    [...states].every((state) => [null, state].includes(model.step(state, effect)));
  const reads = new Set(distinct.filter(changesNothing).map(idOf));
  return (effect) => reads.has(idOf(effect));
}

const idOf = ({ request, answer }: Effect): string => JSON.stringify([request, answer]);
