/** The parts of pg-mem's tables that its type declarations leave out. */
interface MemoryTable {
  onBeforeChange(
    columns: 'all',
    change: (before: Row | null, after: Row | null, of: Transaction) => void,
  ): unknown;
  doInsert(transaction: Transaction, row: Row): unknown;
  delete(transaction: Transaction, row: Row): unknown;
  enumerate(transaction: Transaction): Iterable<Row>;
}
type Row = Record<string, unknown>;
type Transaction = unknown;

/**
 * Does the same as the triggers of the migration `user-ids`, because pg-mem has no triggers: `user_ids` contains the id
 * of each account that is not deleted.
 */
export const keepUserIds = (schema: MemorySchema): void =>
  keepRows(schema, 'user_ids', 'id', (id) => ({ id }));

/** Does the same as the triggers of the migration `user-directory`: keeps a row of `user_sign_ins` for each account. */
export const keepUserSignIns = (schema: MemorySchema): void =>
  keepRows(schema, 'user_sign_ins', 'user_id', (user_id) => ({
    user_id,
    last_sign_in_at: new Date(0),
    sign_in_method: null,
    sign_in_user_agent: null,
  }));

interface MemorySchema {
  getTable(name: string): unknown;
}

function keepRows(schema: MemorySchema, table: string, key: string, rowOf: (userId: unknown) => Row): void {
  const users = schema.getTable('users') as MemoryTable;
  const rows = schema.getTable(table) as MemoryTable;
  const isKept = (row: Row | null) => row?.id != null && row.deleted_at == null;
  users.onBeforeChange('all', (before, after, transaction) => {
    const rowsOf = (user: Row | null) =>
      [...rows.enumerate(transaction)].filter(({ [key]: id }) => id === user?.id);
    if (before === null && isKept(after) && rowsOf(after).length === 0)
      rows.doInsert(transaction, rowOf(after?.id));
    if (!isKept(before) || isKept(after)) return;
    for (const row of rowsOf(before)) rows.delete(transaction, row);
  });
}
