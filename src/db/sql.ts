import { Sql as TaggedSql } from 'sql-template-tag';
import type { AuditEventReference, Statement } from '../core/database.ts';

/**
 * A statement, or a fragment of one: SQL text with `$n` placeholders, and the values. The `sql` tag creates it. A
 * statement that contains fragments has the audit events and the invalidated ids of all its fragments.
 */
export class Sql extends TaggedSql implements Statement {
  readonly auditEvents: readonly AuditEventReference[];
  readonly invalidates: readonly string[];

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    auditEvents = collect(values, ({ auditEvents }) => auditEvents),
    invalidates = collect(values, ({ invalidates }) => invalidates),
  ) {
    super(strings, values);
    this.auditEvents = auditEvents;
    this.invalidates = invalidates;
  }

  /** Returns this statement with one more audit event. */
  withAuditEvent(event: AuditEventReference): Sql {
    return new Sql(this.strings, this.values, [...this.auditEvents, event], this.invalidates);
  }

  /** Returns this statement with more audit events. */
  withAuditEvents(events: readonly AuditEventReference[]): Sql {
    return new Sql(this.strings, this.values, [...this.auditEvents, ...events], this.invalidates);
  }

  /** Returns this statement with one more invalidated id. For null, returns this statement unchanged. */
  invalidating(id: string | null): Sql {
    return id === null
      ? this
      : new Sql(this.strings, this.values, this.auditEvents, [...this.invalidates, id]);
  }
}

const none: readonly never[] = [];

/** Joins the lists of all values that are fragments. Usually all lists are empty, and then this function creates no new list. */
function collect<T>(values: readonly unknown[], of: (fragment: Sql) => readonly T[]): readonly T[] {
  let all: readonly T[] = none;
  for (const value of values) {
    if (!(value instanceof Sql)) continue;
    const list = of(value);
    if (list.length > 0) all = all.length === 0 ? list : [...all, ...list];
  }
  return all;
}

export const sql = (strings: readonly string[], ...values: readonly unknown[]): Sql =>
  new Sql(strings, values);

/** A statement from `composeOnce`. */
class ComposedSql extends Sql {
  readonly #text: string;

  constructor(form: Sql, text: string, values: readonly unknown[]) {
    super(form.strings, values, [], []);
    this.#text = text;
  }

  override get text(): string {
    return this.#text;
  }
}

/**
 * Composes a statement's text once, for a statement that is sent often. Returns a function that adds the values.
 *
 * @param compose called once, with placeholders instead of values; `compose` must use each placeholder only as a value
 *   of the statement
 * @throws TypeError for a statement with audit events or invalidated ids, because these differ for each call
 * @example
 * const selectUser = composeOnce((id: string) => sql`select * from latchkey.users where id = ${id}`);
 */
export function composeOnce<Values extends readonly unknown[]>(
  compose: (...values: Values) => Sql,
): (...values: Values) => Sql {
  const slots = Array.from({ length: compose.length }, (_, place) => Symbol(`value ${place}`));
  const form = compose(...(slots as unknown as Values));
  if (form.auditEvents.length > 0 || form.invalidates.length > 0)
    throw new TypeError('composeOnce: expected a statement without audit events and invalidated ids');
  const { text } = form;
  const places = form.values.map((value) => slots.indexOf(value as symbol));
  return (...values) =>
    new ComposedSql(
      form,
      text,
      places.map((place, index) => (place < 0 ? form.values[index] : values[place])),
    );
}

/** Joins one or more values or fragments with a separator. */
export const join = (parts: readonly unknown[], separator = ','): Sql =>
  new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);

/** An SQL expression: an array of texts, for `= any(…)`. The statement text does not depend on the number of texts. */
export const textArray = (texts: readonly string[]): Sql =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb))`;

/** Turns text into SQL without escaping. Never pass user input. */
export const raw = (text: string): Sql => new Sql([text], []);

/** A check that always succeeds: a `select` with one row. More conditions can follow with `and`. */
export const oneRow = raw('select 1 as id where true');

/** A check that always fails: a `select` without a row. */
export const noRow = raw('select 1 as id where false');

/** `from <name>`: makes an insert run once for each row of an earlier CTE of the same statement. */
export const from = (name: string): Sql => raw(`from ${name}`);

/** `and exists (...)`: makes an update or delete run only if an earlier CTE of the same statement returned a row. */
export const andExists = (name: string): Sql => raw(`and exists (select 1 from ${name})`);

/**
 * The statements of a migration, separated by semicolons, without values. The simple query protocol runs a script as
 * one implicit transaction. A script has no time limit.
 */
export class Script extends Sql {
  constructor(text: string) {
    super([text], []);
  }
}
