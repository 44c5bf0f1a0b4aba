/** A use of a session that the database must record. */
export interface SessionUse {
  sessionId: string;
  /** The database's time of the use, in milliseconds since 1970. */
  usedAtMs: number;
  /** The session expires this many seconds after its last use. */
  idleSeconds: number;
}

/** Records uses of sessions in the database, many with one statement. */
export interface SessionUses {
  /** Records the use within seconds. If the process crashes first, the use is lost. */
  add(use: SessionUse): void;
}
