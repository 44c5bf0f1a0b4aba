/** What `users.endAllSessions` has ended. */
export interface EndedSessions {
  /** The number of ended sessions that had not expired. */
  sessions: number;
  /** The number of canceled recovery links that could still be used. */
  recoveryLinks: number;
}
