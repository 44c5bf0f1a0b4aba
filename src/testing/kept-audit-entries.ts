/** The parts of pg-mem's tables that its type declarations leave out. */
interface MemoryTable {
  onBeforeChange(
    columns: 'all',
    change: (before: Row | null, after: Row | null, of: Transaction) => void,
  ): unknown;
  doInsert(transaction: Transaction, row: Row): unknown;
  /** The number of rows. */
  entropy(transaction: Transaction): number;
}
type Row = Record<string, unknown>;
type Transaction = unknown;

/**
 * Gives each audit event its position when it is inserted, because statements in memory never overlap. So no process
 * needs to sequence.
 */
export function keepAuditEntries(schema: { getTable(name: string): unknown }): void {
  const events = schema.getTable('audit_events') as MemoryTable;
  const entries = schema.getTable('audit_entries') as MemoryTable;
  events.onBeforeChange('all', (before, after, transaction) => {
    if (before !== null || after === null) return;
    entries.doInsert(transaction, {
      position: entries.entropy(transaction),
      event_id: after.id,
      at: after.at,
      commitment: Buffer.alloc(32),
    });
  });
}
