import type { Backend } from './backend.ts';

/** All rows at the beginning, and which values occur in them. */
export interface InitialState {
  rows: ReadonlyMap<string, readonly string[]>;
  /** Replaces the values that are different in each run, such as new ids, tokens and hashes. */
  mask(value: unknown): string;
  /** Does the same with a row of `Backend.rowsOf`. */
  maskRow(row: string): string;
}

export async function readInitialState(backend: Backend, tables: readonly string[]): Promise<InitialState> {
  const rows = await backend.rowsOf(tables);
  const known = new Set(rows.flatMap(({ row }) => row.match(ids) ?? []));
  const mask = (value: unknown) => JSON.stringify(value, (key, each) => masked(key, each, known)) ?? 'null';
  const seen = new Map<string, string>();
  // Most rows are the same after each schedule.
  const maskRow = (row: string): string => {
    const before = seen.get(row);
    if (before !== undefined) return before;
    const after = mask(JSON.parse(row));
    if (seen.size < 10_000) seen.set(row, after);
    return after;
  };
  return { rows: byTable(rows, maskRow), mask, maskRow };
}

/**
 * The difference between the rows now and at the beginning: `+` and `-` with the table and the row. Tables that no
 * statement has changed are not read.
 */
export async function changesSince(
  initial: InitialState,
  backend: Backend,
  changedTables: readonly string[],
): Promise<string[]> {
  const now = byTable(await backend.rowsOf(changedTables), initial.maskRow);
  return changedTables
    .flatMap((table) => {
      const [before, after] = [initial.rows.get(table) ?? [], now.get(table) ?? []];
      return [
        ...without(before, after).map((row) => `- ${table} ${row}`),
        ...without(after, before).map((row) => `+ ${table} ${row}`),
      ];
    })
    .sort();
}

function byTable(rows: readonly { name: string; row: string }[], mask: (row: string) => string) {
  const tables = new Map<string, string[]>();
  for (const { name, row } of rows) tables.set(name, [...(tables.get(name) ?? []), mask(row)]);
  return tables;
}

/** The elements of a list that another list does not contain as often. */
function without(list: readonly string[], others: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const other of others) left.set(other, (left.get(other) ?? 0) + 1);
  return list.filter((each) => {
    const count = left.get(each) ?? 0;
    left.set(each, count - 1);
    return count <= 0;
  });
}

/** An event contains the names that the operation has read, so a user can be renamed before the event is recorded. */
const namesInEvents = ['actor_name', 'target_name', 'impersonator_name'];
/** They only say whether a row has changed. A guard can increment them although another guard refuses the change. */
const versions = ['version', 'epoch', 'session_epoch', 'impersonator_epoch'];
/** `slot`: a free number, which limits the number of webhooks. */
const volatileColumns = new Set(['xid', 'salt', 'kept', 'slot', 'request_id', ...namesInEvents, ...versions]);
const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const kinds: [kind: string, pattern: RegExp][] = [
  ['<id>', /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/],
  ['<time>', /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ['<bytes>', /^\\x/],
  ['<hash>', /^(\$latchkey1\$\S+)?\$2b\$/],
  ['<token>', /^(?=.*[A-Z])(https?:\/\/\S*#token=|whsec_)?[\w.~+/-]{20,}={0,2}$/],
  ['<code>', /^[A-Z0-9]{4,}(-[A-Z0-9]{4,})+$/i],
];

function masked(key: string, value: unknown, known: ReadonlySet<string>): unknown {
  if (volatileColumns.has(key)) return undefined;
  if (typeof value !== 'string') return value;
  const kind = kinds.find(([, pattern]) => pattern.test(value))?.[0];
  if (kind === undefined) return value;
  return kind === '<id>' && known.has(value) ? value : kind;
}
