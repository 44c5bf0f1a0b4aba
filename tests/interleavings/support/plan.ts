import { createHash } from 'node:crypto';
import type { Operation } from './operation.ts';

type Group = readonly Operation[];

/** Every pair of operations, each operation also with itself, in an order that depends only on the names. */
export const allPairs = (operations: readonly Operation[]): Group[] =>
  shuffled(operations.flatMap((first, n) => operations.slice(n).map((second) => [first, second])));

/** Distinct groups of three operations, which depend only on the seed. */
export function* triples(operations: readonly Operation[], seed: string): Generator<Group> {
  for (let n = 0; ; n += 1) {
    const digest = createHash('sha256').update(`${seed} ${n}`).digest();
    yield [0, 4, 8].map((at) => operations[digest.readUInt32BE(at) % operations.length] as Operation);
  }
}

/** A campaign that ends early has tried some pairs of every operation. */
function shuffled(groups: Group[]): Group[] {
  const keyed = groups.map((group) => {
    const names = group.map(({ name }) => name).join();
    return { group, key: createHash('sha256').update(names).digest('hex') };
  });
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ group }) => group);
}
