import { Sql } from 'sql-template-tag';

/** Identifies an audit row that a statement writes: its id, generated before the statement runs, and its event. */
export interface EntryReference {
  readonly id: string;
  readonly event: string;
}

/**
 * SQL text with `$n` placeholders and its values, created by the `sql` tag. Statements compose: a statement takes over
 * the `entries` and `outdated` ids of its fragments.
 */
export class Statement extends Sql {
  /** The audit rows that this statement may write. Each is written only if its conditions hold. */
  readonly entries: readonly EntryReference[];
  /** Ids whose cached reads this statement invalidates. */
  readonly outdated: readonly string[];

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    entries = collect(values, ({ entries }) => entries),
    outdated = collect(values, ({ outdated }) => outdated),
  ) {
    super(strings, values);
    this.entries = entries;
    this.outdated = outdated;
  }

  /** Returns this statement with one more audit row. */
  withEntry(entry: EntryReference): Statement {
    return new Statement(this.strings, this.values, [...this.entries, entry], this.outdated);
  }

  /** Returns this statement with one more id whose cached reads it invalidates. Null adds none. */
  outdating(id: string | null): Statement {
    return id === null
      ? this
      : new Statement(this.strings, this.values, this.entries, [...this.outdated, id]);
  }
}

const none: readonly never[] = [];

/** Collects a list of every fragment among the values. Allocates nothing in the usual case: all lists are empty. */
function collect<T>(values: readonly unknown[], of: (fragment: Statement) => readonly T[]): readonly T[] {
  let all: readonly T[] = none;
  for (const value of values) {
    if (!(value instanceof Statement)) continue;
    const list = of(value);
    if (list.length > 0) all = all.length === 0 ? list : [...all, ...list];
  }
  return all;
}

export const sql = (strings: readonly string[], ...values: readonly unknown[]): Statement =>
  new Statement(strings, values);

/** A statement that is sent often. Its text is composed once. */
class PreparedStatement extends Statement {
  readonly #text: string;

  constructor(form: Statement, text: string, values: readonly unknown[]) {
    super(form.strings, values, [], []);
    this.#text = text;
  }

  override get text(): string {
    return this.#text;
  }
}

/**
 * Composes a statement's text once and returns a function that adds the values of each call.
 *
 * @param compose called once with placeholders: it can place them in the statement but not read them
 * @throws TypeError for a statement with `entries` or `outdated` ids: these differ from call to call
 * @example
 * const selectUser = prepared((id: string) => sql`select * from latchkey.users where id = ${id}`);
 */
export function prepared<Values extends readonly unknown[]>(
  compose: (...values: Values) => Statement,
): (...values: Values) => Statement {
  const slots = Array.from({ length: compose.length }, (_, place) => Symbol(`value ${place}`));
  const form = compose(...(slots as unknown as Values));
  if (form.entries.length > 0 || form.outdated.length > 0)
    throw new TypeError('prepared: expected a statement without audit rows and outdated ids');
  const { text } = form;
  const places = form.values.map((value) => slots.indexOf(value as symbol));
  return (...values) =>
    new PreparedStatement(
      form,
      text,
      places.map((place, index) => (place < 0 ? form.values[index] : values[place])),
    );
}

/** Joins one or more values or fragments with a separator. */
export const join = (parts: readonly unknown[], separator = ','): Statement =>
  new Statement(['', ...parts.slice(1).map(() => separator), ''], parts);

/** Inserts SQL text without escaping. Never pass user input. */
export const raw = (text: string): Statement => new Statement([text], []);

/** `from <name>`: an insert runs once for each row of an earlier part of the same statement. */
export const from = (name: string): Statement => raw(`from ${name}`);

/** `and exists (...)`: an update or delete runs only if an earlier part of the same statement returned a row. */
export const andExists = (name: string): Statement => raw(`and exists (select 1 from ${name})`);

/**
 * Several statements of a migration, separated by semicolons and without values. The simple query protocol runs them as
 * one implicit transaction. They have no time limit.
 */
export class Script extends Statement {
  constructor(text: string) {
    super([text], []);
  }
}
