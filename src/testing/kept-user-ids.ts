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
export function keepUserIds(schema: { getTable(name: string): unknown }): void {
  const users = schema.getTable('users') as MemoryTable;
  const ids = schema.getTable('user_ids') as MemoryTable;
  const isKept = (row: Row | null) => row?.id != null && row.deleted_at == null;
  users.onBeforeChange('all', (before, after, transaction) => {
    if (before === null && isKept(after)) ids.doInsert(transaction, { id: after?.id });
    if (!isKept(before) || isKept(after)) return;
    const kept = [...ids.enumerate(transaction)].filter(({ id }) => id === before?.id);
    for (const row of kept) ids.delete(transaction, row);
  });
}
