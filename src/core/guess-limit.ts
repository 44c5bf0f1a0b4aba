/** A request that counts against a rate limit unless it succeeds. */
export interface Reservation {
  /** Subtracts the request from the count. Call it once, if the request has succeeded or has checked no guess. */
  giveBack(): Promise<void>;
}

/** The account that a guess is for. */
export interface GuessedAccount {
  userId: string;
  /** The session epoch of the account. */
  epoch: number;
}

/** Limits the wrong guesses of a password or a recovery code for one username. */
export interface GuessLimit {
  /**
   * Counts a guess. Call it before the guess is checked, so that concurrent guesses cannot exceed the limit.
   *
   * @param account the account with this username; null: no account has this username
   * @throws AuthError `rate_limited`
   */
  reserve(account: GuessedAccount | null): Promise<Reservation>;
}
