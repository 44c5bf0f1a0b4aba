/** The usernames under which an account is looked up. */
export interface UsernameLookup {
  /** The input without outer white space. An account with exactly this username is preferred. */
  readonly exact: string;
  /** From `usernameToFind`. */
  readonly canonical: string;
}
