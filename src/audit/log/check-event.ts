import { type CommittedRow, commitmentOf, erasedFields, type LogEntry, type PersonalField } from './entry.ts';
import { fieldIn, isPseudonymForm } from './erased-field.ts';
import { timeOf } from './proof-text.ts';

/** What a check of an event compares the event with. */
export interface EventContext {
  /** Events before this time can have been pruned, in microseconds since 1970. Null: no event was pruned. */
  prunedBefore: bigint | null;
  /** Returns whether an event `user.erase` of this user, or of any user, names the pseudonym. */
  isPseudonym(pseudonym: string, userId: string | null): boolean;
}

/** Compares an event with its entry. The result `pruned` means that the event does not exist, and that a pruning explains why. */
export function checkEvent(
  entry: LogEntry,
  row: CommittedRow | null,
  { prunedBefore, isPseudonym }: EventContext,
): { kind: 'fine' | 'pruned' } | { kind: 'broken'; message: string } {
  const named = `Event ${entry.eventId} of ${timeOf(entry.atMicros)}`;
  if (row === null) {
    if (prunedBefore !== null && entry.atMicros < prunedBefore) return { kind: 'pruned' };
    return { kind: 'broken', message: `${named} was deleted. No pruning explains that.` };
  }
  if (row.at_micros !== `${entry.atMicros}` || !hasCommitment(row, entry.commitment))
    return { kind: 'broken', message: `${named} was changed.` };
  const forged = erasedFields(row.kept).find((field) => !isErasure(field, row, isPseudonym));
  if (forged !== undefined)
    return {
      kind: 'broken',
      message: `${named}: ${forged} was replaced. No erasure of a user explains that.`,
    };
  return { kind: 'fine' };
}

function hasCommitment(row: CommittedRow, commitment: Uint8Array): boolean {
  try {
    return commitmentOf(row).equals(commitment);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The user whose erasure must have replaced a field. Null: any user. */
function holderOf(field: PersonalField, row: CommittedRow): string | null {
  if (field === 'actor_name') return row.actor_id;
  if (field === 'impersonator_name') return row.impersonator_id;
  if (field === 'target_name' && row.target_type === 'user') return row.target_id;
  return null;
}

function isErasure(
  field: PersonalField,
  row: CommittedRow,
  isPseudonym: EventContext['isPseudonym'],
): boolean {
  const value = fieldIn(field, row);
  return isPseudonymForm(value) && isPseudonym(value, holderOf(field, row));
}
