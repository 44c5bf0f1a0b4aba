/** One operation of a client on one key, as the client observed it. Times are milliseconds of one monotonic clock. */
export interface Operation {
  /** When the client sent the request. The operation cannot take effect earlier. */
  readonly sentAt: number;
  /** When the client received the response. Infinity for a mutation whose result is unknown. */
  readonly answeredAt: number;
  /** What the client asked for, such as "sign-up by 2". */
  readonly request: string;
  /** What the service answered. Null: unknown. The operation may take effect at any later time, or never. */
  readonly answer: string | null;
}

/** What one key does without concurrency. */
export interface Model {
  readonly name: string;
  readonly initial: string;
  /**
   * Returns the state after an operation. Null: the operation cannot return this answer in this state. An operation
   * with an unknown answer returns the state that its effect would cause, or null if it would have no effect.
   */
  step(state: string, operation: Operation): string | null;
}

/**
 * Whether the operations have an order that the model allows, in which each operation takes effect between its request
 * and its response (linearizability). The search is that of Wing and Gong, with Lowe's memory of visited states, as in
 * Porcupine and Knossos: choose an operation that no other operation precedes, apply it, and go back after a dead end.
 */
export function isLinearizable(model: Model, operations: readonly Operation[]): boolean {
  const sorted = [...operations].sort((one, other) => one.sentAt - other.sentAt);
  const visited = new Set<string>();

  /** @param applied whether each operation has taken effect */
  function search(applied: readonly boolean[], state: string): boolean {
    const open = sorted.filter((_, index) => !applied[index]);
    // Operations with an unknown result need not take effect.
    if (open.every(({ answer }) => answer === null)) return true;
    const place = `${applied.map(Number).join('')} ${state}`;
    if (visited.has(place)) return false;
    visited.add(place);
    // Each operation that was sent later than this follows an operation that has not taken effect.
    const firstAnswer = Math.min(...open.map(({ answeredAt }) => answeredAt));
    return sorted.some((operation, index) => {
      if (applied[index] || operation.sentAt > firstAnswer) return false;
      const next = model.step(state, operation);
      return next !== null && search(applied.with(index, true), next);
    });
  }

  return search(
    sorted.map(() => false),
    model.initial,
  );
}
