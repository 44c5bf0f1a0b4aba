/** What the main thread tells a worker. */
export interface Assignment {
  target: string;
  seconds: number;
  seed: number;
  corpus: readonly Uint8Array[];
  /** Holds the input that runs now: see `currentInput`. */
  current: SharedArrayBuffer;
}

/** An input for which the target failed. */
export interface Finding {
  input: Uint8Array;
  problem: string;
}

/** What a worker tells the main thread at the end. */
export interface Outcome {
  executions: number;
  seconds: number;
  coverage: { functions: number; characters: number };
  /** The smallest inputs found that together reach the same code. */
  corpus: Uint8Array[];
}

export type Message = { finding: Finding } | { outcome: Outcome };

const headBytes = 8;
const largestInput = 65_536;

/** The input that runs now, in memory that both threads share. A worker that hangs cannot send a message. */
export function currentInput(buffer: SharedArrayBuffer) {
  const [counter, length] = [0, 1];
  const head = new Int32Array(buffer, 0, 2);
  const bytes = new Uint8Array(buffer, headBytes);
  return {
    set: (input: Uint8Array) => {
      bytes.set(input);
      Atomics.store(head, length, input.length);
      Atomics.add(head, counter, 1);
    },
    /** The number of inputs so far. */
    count: () => Atomics.load(head, counter),
    read: () => bytes.slice(0, Atomics.load(head, length)),
  };
}

export const newCurrentInput = () => new SharedArrayBuffer(headBytes + largestInput);
