import { createHash } from 'node:crypto';

/** Random numbers that depend only on the seed and on the order of the calls. */
export interface Random {
  /** A number from 0 to less than `max`. */
  below(max: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
}

export function createRandom(seed: number): Random {
  let calls = 0;
  const below = (max: number) => {
    calls += 1;
    return createHash('sha256').update(`${seed} ${calls}`).digest().readUInt32BE(0) % max;
  };
  return { below, pick: (items) => items[below(items.length)] ?? items[0] };
}
