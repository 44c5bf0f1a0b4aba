import { createHash } from 'node:crypto';
import type { Chain } from '../chains.ts';
import type { Operation } from './operation.ts';

export const kindsOfGroups = ['pairs', 'faults', 'caches', 'bootstraps', 'chains', 'triples'] as const;

/** Operations whose schedules run together. */
export interface Group {
  /**
   * - pairs, chains (with a third operation), triples: the schedules of these operations
   * - faults: the connection fails at each write of one operation
   * - caches: a second instance checks sessions
   * - bootstraps: a pair on data without superadmins
   */
  kind: (typeof kindsOfGroups)[number];
  operations: readonly Operation[];
}

export const nameOf = ({ operations }: Pick<Group, 'operations'>): string =>
  operations.map(({ name }) => name).join(' | ');

interface Planned {
  operations: readonly Operation[];
  chains: readonly Chain[];
  typedStatements: readonly Operation[];
}

interface Choice {
  /** Part of the names of the operations. Null: all operations. */
  only: string | null;
  /** The seed of the triples. Null: no triples. */
  triplesSeed: string | null;
  triples: number;
}

/** Everything that a campaign tries. A campaign that ends early has tried some groups of each kind. */
export function planOf(stage: Planned, { only, triplesSeed, triples }: Choice): Group[] {
  const { operations, typedStatements } = stage;
  const single = (kind: Group['kind'], some: Operations) =>
    some.map((one): Group => ({ kind, operations: [one] }));
  const groups = [
    ...allPairs(operations).map((pair): Group => ({ kind: 'pairs', operations: pair })),
    ...bootstrapsOf(operations).map((pair): Group => ({ kind: 'bootstraps', operations: pair })),
    ...chainsOf(stage).map((chain): Group => ({ kind: 'chains', operations: chain })),
    ...(triplesSeed === null ? [] : triplesOf(operations, triplesSeed, triples)).map(
      (triple): Group => ({ kind: 'triples', operations: triple }),
    ),
  ];
  return [
    ...single('faults', operations),
    ...single('caches', [...operations, ...typedStatements]),
    ...shuffled(groups),
  ].filter((group) => only === null || group.operations.some(({ name }) => name.includes(only)));
}

type Operations = readonly Operation[];

/** Every pair of operations, each operation also with itself. */
const allPairs = (operations: Operations): Operations[] =>
  operations.flatMap((first, n) => operations.slice(n).map((second) => [first, second]));

/** Every pair of bootstraps, and one of them with each other operation. */
function bootstrapsOf(operations: Operations): Operations[] {
  const bootstraps = operations.filter(({ target }) => target === 'bootstrap');
  const others = operations.filter(({ target }) => target !== 'bootstrap');
  const [first] = bootstraps as [Operation];
  return [...allPairs(bootstraps), ...others.map((other) => [first, other])];
}

/** Each chain with each operation. */
const chainsOf = ({ operations, chains }: Planned): Operations[] =>
  chains.flatMap((chain) => operations.map((other) => [...chain, other]));

/** Distinct groups of three operations, which depend only on the seed and on the operations. */
function triplesOf(operations: Operations, seed: string, count: number): Operations[] {
  const chosen = new Map<string, Operations>();
  for (let n = 0; chosen.size < count; n += 1) {
    const digest = createHash('sha256').update(`${seed} ${n}`).digest();
    const triple = [0, 4, 8].map(
      (at) => operations[digest.readUInt32BE(at) % operations.length] as Operation,
    );
    chosen.set(nameOf({ operations: triple }), triple);
  }
  return [...chosen.values()];
}

/** An order that depends only on the names. */
function shuffled(groups: readonly Group[]): Group[] {
  const keyed = groups.map((group) => ({
    group,
    key: createHash('sha256').update(nameOf(group)).digest('hex'),
  }));
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ group }) => group);
}
