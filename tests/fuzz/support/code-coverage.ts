import { type Profiler, Session } from 'node:inspector';

/** The code that ran since the last call of `take`: for each function, the characters that ran. */
export type Taken = ReadonlyMap<string, Uint8Array>;

export interface CodeCoverage {
  take(): Promise<Taken>;
  stop(): void;
}

/**
 * Measures which code runs, with the block coverage of V8. Start it before the code is loaded.
 *
 * @param files the URLs of the scripts that count
 */
export async function measureCoverage(files: RegExp): Promise<CodeCoverage> {
  const session = new Session();
  session.connect();
  const post = <Result>(method: string, params?: object): Promise<Result> =>
    new Promise((done, fail) =>
      session.post(method, params, (error, result) => (error ? fail(error) : done(result as Result))),
    );
  await post('Profiler.enable');
  await post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return {
    take: async () => {
      const { result } = await post<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage');
      const taken = new Map<string, Uint8Array>();
      for (const { url, functions } of result)
        if (files.test(url))
          for (const { ranges } of functions) {
            const characters = charactersOf(ranges);
            const [{ startOffset, endOffset } = { startOffset: 0, endOffset: 0 }] = ranges;
            if (characters) taken.set(`${url}:${startOffset}-${endOffset}`, characters);
          }
      return taken;
    },
    stop: () => session.disconnect(),
  };
}

/** The first range is the function. Each other range is a block inside of an earlier range, with a count of its own. */
function charactersOf(ranges: readonly Profiler.CoverageRange[]): Uint8Array | null {
  const [whole] = ranges;
  if (!whole || whole.count === 0) return null;
  const characters = new Uint8Array(whole.endOffset - whole.startOffset);
  for (const { startOffset, endOffset, count } of ranges)
    characters.fill(count > 0 ? 1 : 0, startOffset - whole.startOffset, endOffset - whole.startOffset);
  return characters;
}

/** All code that ran so far. */
export class Reached {
  readonly #functions = new Map<string, Uint8Array>();

  /** Adds coverage. Returns whether any of it is new. */
  add(taken: Taken): boolean {
    let isNew = false;
    for (const [name, characters] of taken) {
      const known = this.#functions.get(name);
      if (!known) this.#functions.set(name, characters);
      else if (addTo(known, characters)) isNew = true;
      isNew ||= !known;
    }
    return isNew;
  }

  /** Whether any of the coverage is new. */
  misses(taken: Taken): boolean {
    for (const [name, characters] of taken) {
      const known = this.#functions.get(name);
      if (!known || characters.some((ran, at) => ran > (known[at] ?? 0))) return true;
    }
    return false;
  }

  /** The number of functions and characters. A character of a nested function counts for each function around it. */
  get size(): { functions: number; characters: number } {
    let characters = 0;
    for (const known of this.#functions.values()) characters += known.reduce((sum, ran) => sum + ran, 0);
    return { functions: this.#functions.size, characters };
  }
}

function addTo(known: Uint8Array, characters: Uint8Array): boolean {
  let isNew = false;
  for (let at = 0; at < characters.length; at += 1)
    if (characters[at] && !known[at]) {
      known[at] = 1;
      isNew = true;
    }
  return isNew;
}
