/** A part of the audit log that does not match what was signed. */
export interface AuditProblem {
  /**
   * What is broken:
   *
   * - `event`: the row of an event was changed or deleted
   * - `entry`: the entry of an event was changed or deleted
   * - `tile`: hashes of the tree were changed or deleted
   * - `checkpoint`: the log does not match its signed state or an hourly copy of it, or the signature is invalid
   * - `witness`: the log does not match a checkpoint that was kept outside of the database
   */
  kind: 'event' | 'entry' | 'tile' | 'checkpoint' | 'witness';
  /** A sentence for the operator. */
  message: string;
  /** The position of the event or the entry, or the first position that the tile covers. */
  position?: number;
  eventId?: string;
}

/** The result of `audit.verify`. */
export interface AuditVerification {
  /** Whether no problem was found. */
  ok: boolean;
  /** The identifier of the log. Null: the log is empty. */
  origin: string | null;
  /** How many entries the checkpoint covers. */
  size: number;
  /** The position of the first entry that was checked. 0, unless only the newest entries were requested. */
  from: number;
  /** How many events were compared with their entries. */
  events: number;
  /** How many entries no longer have an event, because it was pruned. */
  pruned: number;
  /** How many events contain a pseudonym instead of an erased value. */
  erased: number;
  /** How many events of the last hour have no entry yet, at most 1,000. Nothing protects them. */
  waiting: number;
  /** How many given checkpoints the log was compared with. */
  witnessed: number;
  /** How many problems were found. */
  problemCount: number;
  /** The first 100 problems, in the order of their positions. */
  problems: readonly AuditProblem[];
}

/** Collects problems. Keeps only the first ones, because an attacker can break every entry. */
export class ProblemList {
  count = 0;
  readonly first: AuditProblem[] = [];

  add(problem: AuditProblem): void {
    this.count += 1;
    if (this.first.length < mostProblems) this.first.push(problem);
  }
}

const mostProblems = 100;
