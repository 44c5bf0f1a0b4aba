/**
 * The largest sizes of everything that users and strangers can grow. `docs/reference/limits.md` lists them with these
 * comments.
 *
 * One request of the largest size must neither stop the other requests for long nor get a response that is much larger
 * than itself. One account must not fill the database, a list or the memory of a process.
 */
export interface Bounds {
  /** Passkeys of an account. Another passkey is refused: `too_many_passkeys`. */
  passkeys: number;
  /** Live sessions of an account. Another sign-in ends the least recently used session. */
  sessions: number;
  /** Recovery codes of an account (`MAX_RECOVERY_CODES`). New codes replace the earlier codes. */
  recoveryCodes: number;
  /** Recovery links of an account. A new link replaces the earlier link. */
  recoveryLinks: number;
  /** Characters of a password. A longer password is refused: `password_unacceptable`. */
  passwordCharacters: number;
  /** Characters of a password hash of another system. An import refuses a longer one: `hash_unsupported`. */
  importedHashCharacters: number;
  /** Characters of a record of `users.import` as JSON. A longer record is refused: `invalid_record`. */
  importedUserCharacters: number;
  /** Own fields of users (`userFields`). The service does not start with more fields. */
  userFields: number;
  /** Size of all own fields of a user, as JSON. Larger values are refused: `invalid_request`. */
  userFieldsBytes: number;
  /** Characters of the reason for an impersonation, or for disabling a user. */
  statedReasonCharacters: number;
  /** Characters of a place from `placeOf`. A longer text is cut. */
  placeCharacters: number;
  /** Unfinished calls of `placeOf` in a process. At this number, the function is not called for further addresses. */
  unfinishedPlaces: number;
  /** Impersonated sessions that a superadmin can have. A new one ends the earlier one. */
  impersonatedSessions: number;
  /** Earlier usernames of a user, which stay taken. Another change of the username is refused: `too_many_usernames`. */
  heldUsernames: number;
  /** Organizations of a user. Another organization is refused: `too_many_organizations`. */
  organizations: number;
  /** Pending invitations of an organization. Another invitation is refused: `too_many_invitations`. */
  organizationInvitations: number;
  /** Pending invitations that a user received. Another invitation is refused: `too_many_invitations`. */
  receivedInvitations: number;
  /** Pending admin invitations of a superadmin. Another invitation is refused: `too_many_invitations`. */
  adminInvitations: number;
  /** Pending user invitations of an admin or superadmin. Another invitation is refused: `too_many_invitations`. */
  userInvitations: number;
  /** Characters of the reason with which `signUp.before` refuses a request. */
  refusalCharacters: number;
  /** Items on a page of a list. */
  pageItems: number;
  /** Size of a request body. A larger body is refused: `body_too_large`. */
  bodyBytes: number;
  /** Time in which a request body must arrive. A slower body is refused: `request_timeout`. */
  bodySeconds: number;
  /** Values in a request body. A passkey response has fewer than 50. */
  bodyValues: number;
  /** Nested levels in a request body. */
  bodyLevels: number;
  /** Size of a passkey's public key. A larger key is refused: `registration_failed`. An RSA key has up to 1,100 bytes. */
  publicKeyBytes: number;
  /** Transports of a passkey. */
  transports: number;
  /** Faults in the response to an invalid request. */
  faults: number;
  /** Characters of each name that such a response repeats. Longer names are shortened. */
  quotedCharacters: number;
  /** Characters of the message about an invalid value. Longer messages of an application's schema are shortened. */
  faultCharacters: number;
  /** Characters of a `User-Agent` header in the audit log. Longer values are shortened. */
  userAgentCharacters: number;
  /** Characters of an `Origin` header, and of other values from a cross-origin request, in the log. */
  loggedCharacters: number;
  /** Cross-origin requests from one IP address that a process logs in a minute. Further requests are counted. */
  loggedRefusalsOfAddress: number;
  /** Cross-origin requests from all IP addresses that a process logs in a minute. */
  loggedRefusals: number;
  /** Client addresses that can use up `AUDIT_BURST_THRESHOLD` in ten minutes. Then a process only counts refusals. */
  burstAddresses: number;
  /** Bursts of refusals whose IP address a process keeps. */
  burstsWithAddress: number;
  /** Bursts of refusals whose user or passkey a process keeps. */
  burstsWithTarget: number;
  /** Sessions in the cache of a process. */
  cachedSessions: number;
  /** Exports of the audit log that a user can run in a process at the same time. Another export gets `rate_limited`. */
  exports: number;
  /** Webhooks of a service. Another webhook is refused: `too_many_webhooks`. */
  webhooks: number;
  /** Characters of the URL of a webhook. */
  webhookUrlCharacters: number;
  /** Size of the response of a webhook's receiver that the service reads. It ignores the rest. */
  webhookResponseBytes: number;
  /**
   * Requests of a user that wait for new audit events in a process at the same time. Another one gets `rate_limited`.
   */
  waitingFeeds: number;
  /** Audit events of a process that wait for `auth.on` handlers. Handlers miss further events, and the log says so. */
  waitingEvents: number;
}

export const bounds = {
  passkeys: 50,
  sessions: 100,
  recoveryCodes: 20,
  recoveryLinks: 1,
  passwordCharacters: 128,
  importedHashCharacters: 1024,
  importedUserCharacters: 512 * 1024,
  userFields: 32,
  userFieldsBytes: 4096,
  statedReasonCharacters: 200,
  placeCharacters: 100,
  unfinishedPlaces: 100,
  impersonatedSessions: 1,
  heldUsernames: 10,
  organizations: 100,
  organizationInvitations: 100,
  receivedInvitations: 100,
  adminInvitations: 100,
  userInvitations: 100,
  refusalCharacters: 200,
  pageItems: 200,
  bodyBytes: 64 * 1024,
  bodySeconds: 10,
  bodyValues: 1000,
  bodyLevels: 32,
  publicKeyBytes: 2048,
  transports: 16,
  faults: 20,
  quotedCharacters: 100,
  faultCharacters: 200,
  userAgentCharacters: 400,
  loggedCharacters: 200,
  loggedRefusalsOfAddress: 5,
  loggedRefusals: 50,
  burstAddresses: 30,
  burstsWithAddress: 100,
  burstsWithTarget: 200,
  cachedSessions: 20_000,
  exports: 2,
  webhooks: 20,
  webhookUrlCharacters: 2048,
  webhookResponseBytes: 16 * 1024,
  waitingFeeds: 5,
  waitingEvents: 1000,
} as const satisfies Bounds;
