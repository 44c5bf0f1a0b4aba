/** What can be true at one moment of a history. */
export interface Configuration {
  readonly state: string;
  /** The operations that have taken effect and are not yet answered, by number, in ascending order. */
  readonly applied: readonly number[];
  /** How many operations with an unknown result have taken effect, by kind of request. */
  readonly used: readonly number[];
}

/**
 * A set of configurations. Of two that differ only in the operations with an unknown result, it keeps the one that has
 * used fewer of each kind, because it can do everything that the other can do.
 */
export class Frontier {
  readonly #configurations = new Map<string, Configuration[]>();

  /** @returns whether the configuration is new, and no other makes it unnecessary */
  add(configuration: Configuration): boolean {
    const key = `${configuration.applied.join()} ${configuration.state}`;
    const alike = this.#configurations.get(key) ?? [];
    if (alike.some((other) => usesAtMost(other, configuration))) return false;
    const kept = alike.filter((other) => !usesAtMost(configuration, other));
    this.#configurations.set(key, [...kept, configuration]);
    return true;
  }

  *[Symbol.iterator](): Generator<Configuration> {
    for (const alike of this.#configurations.values()) yield* alike;
  }
}

const usesAtMost = (one: Configuration, other: Configuration): boolean =>
  one.used.every((count, kind) => count <= (other.used[kind] ?? 0));
