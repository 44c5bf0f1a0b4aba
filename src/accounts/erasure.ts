/** The result of erasing a user. */
export interface Erasure {
  /** The id of the user, which the audit log keeps. */
  id: string;
  /** What the audit log contains instead of the username, the IP addresses and the browsers, such as `erased:3f9c…`. */
  pseudonym: string;
  /** How many audit events this call has changed. */
  events: number;
}
