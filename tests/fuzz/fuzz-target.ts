/** A function that reads untrusted bytes, with the checks that must hold for every input. */
export interface FuzzTarget {
  /** The name in `npm run fuzz -- --target NAME` and of the corpus file. */
  readonly name: string;
  /** Inputs that the fuzzer starts with. They are valid, so that changes of them reach deep code. */
  seeds(): Uint8Array[];
  /** Texts and bytes that the fuzzer inserts. */
  readonly dictionary: readonly (string | Uint8Array)[];
  /** The largest input, in bytes. */
  readonly maxBytes: number;
  /** Processes one input. Throws for a finding. The result must depend only on the input. */
  run(input: Uint8Array): void | Promise<void>;
}

/** Thrown by a target if a function accepts what an independent check rejects, or the other way round. */
class Contradiction extends Error {
  override readonly name = 'Contradiction';
}

export function assertHolds(isTrue: boolean, fact: string): asserts isTrue {
  if (!isTrue) throw new Contradiction(fact);
}
