import type { RandomNumbers } from './random-numbers.ts';

/** Values at which lengths, counters and CBOR heads change their meaning. */
const edgeBytes = [0x00, 0x01, 0x17, 0x18, 0x1f, 0x20, 0x40, 0x5f, 0x7f, 0x80, 0x9f, 0xbf, 0xc0, 0xf6, 0xff];

interface Sources {
  random: RandomNumbers;
  corpus: readonly Uint8Array[];
  dictionary: readonly Uint8Array[];
}

type Change = (input: Uint8Array, sources: Sources) => Uint8Array;

const spliced = (input: Uint8Array, from: number, to: number, inserted: Uint8Array): Uint8Array =>
  Buffer.concat([input.subarray(0, from), inserted, input.subarray(to)]);

const changed = (input: Uint8Array, at: number, value: (before: number) => number): Uint8Array => {
  const copy = Uint8Array.from(input);
  const before = copy[at];
  if (before !== undefined) copy[at] = value(before);
  return copy;
};

/** Returns a range of the input. The end is greater than the start, unless the input is empty. */
function rangeOf({ length }: Uint8Array, random: RandomNumbers, longest = length): [number, number] {
  const from = random.below(length);
  return [from, Math.min(length, from + 1 + random.below(longest))];
}

const pick = <T>(random: RandomNumbers, list: readonly T[]): T | undefined => list[random.below(list.length)];

const empty = new Uint8Array();

const changes: readonly Change[] = [
  (input, { random }) => changed(input, random.below(input.length), (byte) => byte ^ (1 << random.below(8))),
  (input, { random }) => changed(input, random.below(input.length), () => random.below(256)),
  (input, { random }) => changed(input, random.below(input.length), () => pick(random, edgeBytes) ?? 0),
  (input, { random }) =>
    changed(
      input,
      random.below(input.length),
      (byte) => byte + (random.below(2) ? 1 : -1) * random.below(17),
    ),
  (input, { random }) => spliced(input, ...rangeOf(input, random, 8), empty),
  (input, { random }) => spliced(input, ...rangeOf(input, random), empty),
  // Repeats a part of the input.
  (input, { random }) => {
    const [from, to] = rangeOf(input, random, 64);
    const times = 1 + random.below(random.below(8) === 0 ? 200 : 3);
    return spliced(input, to, to, Buffer.concat(Array(times).fill(input.subarray(from, to))));
  },
  (input, { random }) => {
    const at = random.below(input.length + 1);
    return spliced(
      input,
      at,
      at,
      Uint8Array.from({ length: 1 + random.below(8) }, () => random.below(256)),
    );
  },
  (input, { random, dictionary }) => {
    const at = random.below(input.length + 1);
    return spliced(input, at, at, pick(random, dictionary) ?? empty);
  },
  (input, { random, dictionary }) => {
    const [from, to] = rangeOf(input, random, 16);
    return spliced(input, from, to, pick(random, dictionary) ?? empty);
  },
  // Inserts or overwrites with a part of another input.
  (input, { random, corpus }) => {
    const other = pick(random, corpus) ?? empty;
    const at = random.below(input.length + 1);
    const part = other.subarray(...rangeOf(other, random));
    return spliced(input, at, random.below(2) ? at : at + part.length, part);
  },
  // Begins like this input and ends like another one.
  (input, { random, corpus }) => {
    const other = pick(random, corpus) ?? empty;
    return spliced(
      input,
      random.below(input.length + 1),
      input.length,
      other.subarray(random.below(other.length)),
    );
  },
  // Sets a big-endian number of 16 or 32 bits to an edge value.
  (input, { random }) => {
    const width = random.below(2) ? 2 : 4;
    const edges = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0xffffffff, input.length];
    const value = Buffer.alloc(4);
    value.writeUInt32BE(pick(random, edges) ?? 0);
    const at = random.below(input.length);
    return spliced(input, at, at + width, value.subarray(4 - width));
  },
];

/** Returns a changed copy of an input: one to eight random changes. */
export function mutate(input: Uint8Array, sources: Sources, maxBytes: number): Uint8Array {
  const count = 2 ** sources.random.below(4);
  let mutated = input;
  for (let done = 0; done < count; done += 1)
    mutated = (pick(sources.random, changes) as Change)(mutated, sources);
  return mutated.subarray(0, maxBytes);
}
