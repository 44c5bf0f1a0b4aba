import { Sql } from 'sql-template-tag';

/** Names a row of the audit log: this port knows of it that it has an id, made beforehand, and an event. */
export interface EntryReference {
  readonly id: string;
  readonly event: string;
}

/**
 * A statement: text with `$n` placeholders and its values. Made by the `sql` tag; fragments compose, and what a fragment
 * tells of goes with it.
 */
export class Statement extends Sql {
  /** The rows that it adds to the audit log, each of them only where its conditions let it. */
  readonly entries: readonly EntryReference[];
  /** Ids of whom or what it may change: what has been read of them before is not to be believed after it. */
  readonly outdated: readonly string[];

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    entries = told(values, ({ entries }) => entries),
    outdated = told(values, ({ outdated }) => outdated),
  ) {
    super(strings, values);
    this.entries = entries;
    this.outdated = outdated;
  }

  /** This statement, as one that adds such a row. */
  withEntry(entry: EntryReference): Statement {
    return new Statement(this.strings, this.values, [...this.entries, entry], this.outdated);
  }

  /** This statement, as one that outdates what has been read under an id. Null: there is none. */
  outdating(id: string | null): Statement {
    return id === null
      ? this
      : new Statement(this.strings, this.values, this.entries, [...this.outdated, id]);
  }
}

const none: readonly never[] = [];

/** What the fragments among the values tell of; for most there is nothing to tell. */
function told<T>(values: readonly unknown[], of: (fragment: Statement) => readonly T[]): readonly T[] {
  let all: readonly T[] = none;
  for (const value of values) {
    if (!(value instanceof Statement)) continue;
    const its = of(value);
    if (its.length > 0) all = all.length === 0 ? its : [...all, ...its];
  }
  return all;
}

export const sql = (strings: readonly string[], ...values: readonly unknown[]): Statement =>
  new Statement(strings, values);

/** A statement that is sent again and again: its text is at hand. */
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
 * Composes a statement once, for whatever values it is sent with.
 *
 * @param compose is called with what stands for the values: it may place them, not look at them
 * @throws TypeError for a statement that adds to the audit log or outdates what was read: each time under other ids
 */
export function prepared<Values extends readonly unknown[]>(
  compose: (...values: Values) => Statement,
): (...values: Values) => Statement {
  const slots = Array.from({ length: compose.length }, (_, place) => Symbol(`value ${place}`));
  const form = compose(...(slots as unknown as Values));
  if (form.entries.length > 0 || form.outdated.length > 0)
    throw new TypeError('prepared: this statement tells of more than its text');
  const { text } = form;
  const places = form.values.map((value) => slots.indexOf(value as symbol));
  return (...values) =>
    new PreparedStatement(
      form,
      text,
      places.map((place, index) => (place < 0 ? form.values[index] : values[place])),
    );
}

/** Values or fragments, one at least, with a text between them. */
export const join = (parts: readonly unknown[], separator = ','): Statement =>
  new Statement(['', ...parts.slice(1).map(() => separator), ''], parts);

/** A text as it stands: never one from outside. */
export const raw = (text: string): Statement => new Statement([text], []);

/** `from <name>`: lets an insert run once for every row of an earlier part of the same statement. */
export const from = (name: string): Statement => raw(`from ${name}`);

/** `and exists (...)`: lets an update or delete run only where an earlier part of the same statement gave a row. */
export const andExists = (name: string): Statement => raw(`and exists (select 1 from ${name})`);

/**
 * Several statements separated by semicolons, without values, for a migration. The simple query protocol runs them as
 * one implicit transaction, and they may take their time.
 */
export class Script extends Statement {
  constructor(text: string) {
    super([text], []);
  }
}
