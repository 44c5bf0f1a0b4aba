import { type Configuration, Frontier } from './frontier.ts';
import type { Model, Operation } from './operation.ts';
import { readsIn } from './reads.ts';

/** Undecided: the search has reached its limit. */
export type Verdict = 'linearizable' | 'not linearizable' | 'undecided';

/** How many configurations the search of one history visits. */
const defaultLimit = 2_000_000;

/**
 * Decides whether the operations have an order that the model allows, in which each operation takes effect between its
 * request and its response (linearizability). README.md describes the search, and why its verdicts are right.
 */
export function checkHistory(model: Model, operations: readonly Operation[], limit = defaultLimit): Verdict {
  const search = new Search(model, operations, limit);
  for (const { number, isAnswer } of eventsOf(operations)) {
    if (isAnswer) search.answer(number);
    else search.send(number);
    if (search.visited > limit) return 'undecided';
    if (search.isRefuted) return 'not linearizable';
  }
  return 'linearizable';
}

interface Event {
  readonly at: number;
  /** The number of the operation. */
  readonly number: number;
  readonly isAnswer: boolean;
}

/** All requests and responses in the order of time. */
function eventsOf(operations: readonly Operation[]): Event[] {
  const events = operations.flatMap(({ sentAt, answeredAt, answer }, number) => [
    { at: sentAt, number, isAnswer: false },
    ...(answer === null ? [] : [{ at: answeredAt, number, isAnswer: true }]),
  ]);
  // A request at the time of a response can be earlier than the response.
  return events.sort((one, other) => one.at - other.at || Number(one.isAnswer) - Number(other.isAnswer));
}

/** The configurations that the history allows until the current event. */
class Search {
  /** How many configurations the search has visited. */
  visited = 0;
  readonly #model: Model;
  readonly #operations: readonly Operation[];
  readonly #limit: number;
  /** Whether each operation is a read. */
  readonly #isRead: readonly boolean[];
  /** One operation of each kind with an unknown result, and how many of the kind have been sent. */
  readonly #unknown: { readonly operation: Operation; sent: number }[] = [];
  /** The operations that are sent and not yet answered. */
  readonly #pending = new Set<number>();
  #frontier = new Frontier();

  constructor(model: Model, operations: readonly Operation[], limit: number) {
    this.#model = model;
    this.#operations = operations;
    this.#limit = limit;
    this.#isRead = operations.map(readsIn(model, operations));
    for (const operation of operations)
      if (operation.answer === null && this.#kindOf(operation) === undefined)
        this.#unknown.push({ operation, sent: 0 });
    this.#frontier.add({ state: model.initial, applied: [], used: this.#unknown.map(() => 0) });
  }

  /** Whether no configuration explains the history. */
  get isRefuted(): boolean {
    return this.#frontier[Symbol.iterator]().next().done === true;
  }

  send(number: number): void {
    const operation = this.#operation(number);
    const kind = operation.answer === null ? this.#kindOf(operation) : undefined;
    if (kind !== undefined) {
      kind.sent += 1;
      return;
    }
    this.#pending.add(number);
    if (this.#isRead[number]) this.#replaceFrontier((configuration) => this.#withReads(configuration));
  }

  /** Keeps the configurations in which the operation has taken effect, or can take effect now. */
  answer(number: number): void {
    const answered = new Frontier();
    const explored = new Frontier();
    const open = [...this.#frontier];
    for (let next = open.pop(); next !== undefined && this.visited <= this.#limit; next = open.pop()) {
      this.visited += 1;
      if (next.applied.includes(number))
        answered.add({ ...next, applied: next.applied.filter((each) => each !== number) });
      else for (const follower of this.#followersOf(next)) if (explored.add(follower)) open.push(follower);
    }
    this.#pending.delete(number);
    this.#frontier = answered;
  }

  /** The configurations after one more operation has taken effect. */
  #followersOf({ state, applied, used }: Configuration): Configuration[] {
    const known = [...this.#pending].flatMap((number) => {
      const next = applied.includes(number) ? null : this.#model.step(state, this.#operation(number));
      return next === null ? [] : [{ state: next, applied: withNumber(applied, number), used }];
    });
    const unknown = this.#unknown.flatMap(({ operation, sent }, kind) => {
      const count = used[kind] ?? 0;
      const next = count < sent ? this.#model.step(state, operation) : null;
      // An operation that changes nothing would be wasted.
      return next === null || next === state
        ? []
        : [{ state: next, applied, used: used.with(kind, count + 1) }];
    });
    return [...known, ...unknown].map((follower) => this.#withReads(follower));
  }

  /** Lets all reads take effect that return the current state. */
  #withReads(configuration: Configuration): Configuration {
    const { state, applied } = configuration;
    const reads = [...this.#pending].filter(
      (number) =>
        this.#isRead[number] &&
        !applied.includes(number) &&
        this.#model.step(state, this.#operation(number)) !== null,
    );
    return reads.length === 0
      ? configuration
      : { ...configuration, applied: reads.reduce(withNumber, applied) };
  }

  #replaceFrontier(change: (configuration: Configuration) => Configuration): void {
    const changed = new Frontier();
    for (const configuration of this.#frontier) {
      this.visited += 1;
      changed.add(change(configuration));
    }
    this.#frontier = changed;
  }

  #kindOf({ request }: Operation) {
    return this.#unknown.find(({ operation }) => operation.request === request);
  }

  #operation(number: number): Operation {
    return this.#operations[number] as Operation;
  }
}

const withNumber = (numbers: readonly number[], number: number): readonly number[] =>
  [...numbers, number].sort((one, other) => one - other);
