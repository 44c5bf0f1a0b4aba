import type { Sql } from 'postgres';

/** The parts of a schema on which the statements of an earlier version of the package depend. */
export interface SchemaParts {
  /** By `table.column`. */
  columns: Map<string, { type: string; required: boolean; optional: boolean }>;
  /** Constraints and unique indexes, with the columns (`table.column`) that they check. */
  limits: Map<string, string[]>;
  /** The functions with the types of their arguments and results. */
  functions: Set<string>;
}

export async function readSchemaParts(sql: Sql): Promise<SchemaParts> {
  const columns = await sql<{ name: string; type: string; required: boolean; optional: boolean }[]>`
    select relname || '.' || attname as name, format_type(atttypid, atttypmod) as type,
      attnotnull as required, not attnotnull or atthasdef or attidentity <> '' as optional
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'latchkey'::regnamespace and relkind in ('r', 'p', 'v') and attnum > 0 and not attisdropped`;
  // PostgreSQL 18 lists "not null" as a constraint, too.
  const limits = await sql<{ limit: string; columns: string[] }[]>`
    select relname || ': ' || definition as limit, array(
      select relname || '.' || attname from pg_attribute where attrelid = pg_class.oid and attnum = any (keys)
    ) as columns
    from (
      select conrelid as relation, pg_get_constraintdef(oid) as definition, conkey as keys
      from pg_constraint where contype in ('c', 'f', 'u', 'p', 'x')
      union all
      select indrelid, regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \S+', 'INDEX'), indkey::smallint[]
      from pg_index where indisunique
    ) as found
    join pg_class on pg_class.oid = relation
    where relnamespace = 'latchkey'::regnamespace`;
  const functions = await sql<{ signature: string }[]>`
    select format('%s(%s) returns %s', proname, pg_get_function_identity_arguments(oid), pg_get_function_result(oid))
      as signature
    from pg_proc where pronamespace = 'latchkey'::regnamespace`;
  return {
    columns: new Map(columns.map(({ name, ...column }) => [name, column])),
    limits: new Map(limits.map(({ limit, columns }) => [limit, columns])),
    functions: new Set(functions.map(({ signature }) => signature)),
  };
}

/** Returns the changes that can make a statement of the earlier version fail. */
export function breakingChanges(before: SchemaParts, after: SchemaParts): string[] {
  const tables = new Set([...before.columns.keys()].map((name) => name.split('.')[0]));
  const changed = [...before.columns].flatMap(([name, old]) => {
    const column = after.columns.get(name);
    if (!column) return [`${name} no longer exists`];
    if (column.type !== old.type) return [`${name} changes from ${old.type} to ${column.type}`];
    if (column.required && !old.required) return [`${name} becomes required`];
    return old.optional && !column.optional ? [`${name} loses its default`] : [];
  });
  const added = [...after.columns].flatMap(([name, { optional }]) =>
    !before.columns.has(name) && tables.has(name.split('.')[0] ?? '') && !optional
      ? [`${name} is new and required`]
      : [],
  );
  // An expression index has no columns.
  const tightened = [...after.limits].flatMap(([limit, columns]) =>
    !before.limits.has(limit) &&
    tables.has(limit.split(':')[0]) &&
    (columns.length === 0 || columns.some((name) => before.columns.has(name)))
      ? [`new limit on ${limit}`]
      : [],
  );
  const functions = [...before.functions]
    .filter((signature) => !after.functions.has(signature))
    .map((signature) => `${signature} no longer exists`);
  return [...changed, ...added, ...tightened, ...functions];
}
