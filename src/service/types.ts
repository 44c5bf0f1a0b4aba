import type { AuditEvent } from '../audit/event.ts';
import type { AuditEventName } from '../audit/event-names.ts';
import type { EventsOptions } from '../audit/feed/follow.ts';
import type { FedEvent } from '../audit/feed/read-page.ts';
import type { AuthenticatorMetadataState } from '../core/authenticator-metadata.ts';
import type { Configuration } from '../core/config.ts';
import type { OperationCount } from '../core/outcomes.ts';
import type { ReadSession } from '../core/session.ts';
import type { SessionStatistics } from '../core/session-cache.ts';
import type { NoFields, UserFields } from '../core/user-fields.ts';
import type { DatabaseLoad } from '../db/compose-database.ts';
import type { SessionSource } from '../http/request-source.ts';
import type { PasswordQueue } from '../password/hashing.ts';
import type { Capability } from '../roles/capabilities.ts';
import type { Principal, Resource } from '../roles/principal.ts';
import type { SessionEnd } from '../sessions/session-watch.ts';
import type { UsernameAvailability } from '../users/operations.ts';
import type { DeliveryCounts } from '../webhooks/deliver.ts';
import type { OperatorActions } from './operator.ts';
import type { AccessRequirement } from './require-access.ts';
import type { ReadSessionWithOrganizations, SessionOfOptions } from './session-of.ts';

/**
 * The authentication service. `createAuthService` creates it, and `createAuthRouter` creates the router of its HTTP
 * API.
 *
 * @typeParam Extra the names of the application's capabilities, also of those in `organizationRoles`
 * @typeParam Fields the definitions of the own fields of users
 */
export interface AuthService<Extra extends string = never, Fields extends UserFields = NoFields> {
  /** The settings that are not secret, including defaults. */
  readonly config: Pick<
    Configuration,
    | 'production'
    | 'rpId'
    | 'rpName'
    | 'origins'
    | 'serverAddress'
    | 'passwordMinLength'
    | 'signUpMode'
    | 'signUpOrganizationInvitations'
    | 'organizations'
    | 'adminInvitations'
    | 'impersonation'
    | 'webhooks'
  > & {
    /**
     * `__Host-latchkey` with HTTPS, `latchkey` with HTTP, or another name from the option `cookies`.
     *
     * @throws TypeError if `cookies.name` or `cookies.domain` is a function
     */
    readonly sessionCookieName: string;
  };
  /** The option `organizationRoles`: the capabilities of each custom organization role. */
  readonly organizationRoles: Readonly<Record<string, readonly string[]>>;
  /** The option `userFields`. */
  readonly userFields: Fields;
  readonly users: {
    /**
     * Checks whether a username is available. Another user can still take the username before the sign-up.
     *
     * @throws AuthError `unavailable`
     * @example const { available, reason } = await auth.users.checkAvailability('ada');
     */
    checkAvailability(username: string): Promise<UsernameAvailability>;
  };
  /**
   * Reads the session of a request. The cookie in the request identifies the session, or, with `bearerTokens`, the
   * session token in `Authorization: Bearer`. For a request with both, the result is null. Use `sessionOf` for WebSockets, for
   * server-side rendering, and for servers other than Koa. Always reads the database. Returns null if the request
   * has no live session, or has a recovery session.
   *
   * Browsers also attach the cookie to requests that other sites start. So `sessionOf` checks the origin, as the guards
   * do. It returns null in these cases:
   *
   * - WebSocket handshake (`Upgrade`): the Origin header is not a configured origin. CORS does not apply to handshakes,
   *   so only this check prevents cross-site WebSocket hijacking (ASVS 5.0 4.4.2).
   * - Any other request, except GET, HEAD and OPTIONS: the Origin or Sec-Fetch-Site header shows that another site
   *   started the request.
   * - Only headers, without a method: the Origin header is not a configured origin. For a mutation, pass the request
   *   instead of its headers, because the check of a request is stricter.
   *
   * A request without these headers is allowed. A browser sends Origin with every handshake and every mutation, so a
   * handshake or mutation without Origin does not come from a browser. The service logs each rejected request as a
   * warning.
   *
   * A WebSocket stays open after the session ends. Close it with `watchSession`.
   *
   * @param source an `http.IncomingMessage`, a Fetch API `Request` or `Headers`, or an object of headers
   * @param options `allowRecovery`: return recovery sessions, too. `include`: also read the organizations of the user
   * @throws TypeError if `source` is none of these; the content of a request never causes a TypeError
   * @throws TypeError if `include` is not `['organizations']`
   * @throws AuthError `unavailable` if the database is unreachable
   * @example
   * server.on('upgrade', async (request, socket, head) => {
   *   socket.on('error', () => socket.destroy());
   *   const read = await auth.sessionOf(request).catch(() => null);
   *   if (read) return webSockets.handleUpgrade(request, socket, head, (webSocket) => greet(webSocket, read));
   *   socket.write('HTTP/1.1 401 Unauthorized\r\n\r\n');
   *   socket.destroy();
   * });
   * @example const read = await auth.sessionOf(request.headers); // server-side rendering
   * @example
   * const read = await auth.sessionOf(request, { include: ['organizations'] });
   * const switcher = read?.organizations.map(({ slug, name }) => `<a href="/${slug}">${escapeHtml(name)}</a>`);
   */
  sessionOf(
    source: SessionSource,
    options: SessionOfOptions & { include: readonly ['organizations'] },
  ): Promise<ReadSessionWithOrganizations<Fields> | null>;
  sessionOf(source: SessionSource, options?: SessionOfOptions): Promise<ReadSession<Fields> | null>;
  /**
   * Checks a request outside of Koa, as the guards do: `requireSession`, `requireFresh`, `requireRole` and
   * `requirePermission`. Returns the session and its user. Await the result, because an error is a rejection.
   *
   * Rejects mutations from other sites (CSRF). Headers do not contain the method, so headers alone are checked like a
   * mutation. For a GET request, pass the request, or the headers and `method`.
   *
   * `problemResponse`, `sendProblem` and `problemOf` turn the error into a response.
   *
   * @param source an `http.IncomingMessage`, a Fetch API `Request` or `Headers`, or an object of headers
   * @param requirement what to require in addition to a full session; absent: nothing
   * @throws AuthError as in the guards: `not_authenticated` (401) | `recovery_session` | `cross_origin_request` |
   *   `forbidden` | `impersonating` | `passkey_required` | `reauthentication_required` (403) | `not_found` (404) |
   *   `unavailable` (503)
   * @throws AuthError `invalid_request` (400) if the request has a session cookie and asks for bearer tokens
   * @throws TypeError if `source` is none of these
   * @throws TypeError if a requirement has an unknown name, an unknown role or capability, or an undefined value
   * @example const { user } = await auth.requireAccess(request, { role: 'admin', fresh: true });
   * @example await auth.requireAccess(request, { capability: 'file:manage', resource: () => findFile(id) });
   * @example await auth.requireAccess(await headers(), { method: 'GET' }); // a page of Next.js
   */
  requireAccess(
    source: SessionSource,
    requirement?: AccessRequirement<Extra, Fields>,
  ): Promise<ReadSession<Fields>>;
  /**
   * Watches the session of an open connection, such as a WebSocket or server-sent events. Calls `onEnd` once, when the
   * application must close the connection. The watch then stops.
   *
   * - `ended`: the user has signed out, the session has expired, the session or the account has ended in another way, or
   *   the impersonator has lost the right to use the session.
   * - `changed`: the user's role has changed, or the session has lost its privileges. The client can connect again.
   *
   * The service notices an expiry within five seconds. It notices every other end at once. If the database's
   * notifications do not reach the process, for example behind a transaction pooler, it notices the end within five
   * seconds. While the database is unreachable, it notices only an expiry.
   *
   * An open connection does not count as a use of the session, so the session can reach its idle timeout. `auth.close`
   * stops all watches without calling their functions.
   *
   * @param read the result of `sessionOf` or `requireAccess`. The watch also notices if the session has already ended.
   * @param onEnd if this function throws or rejects, the service logs the error
   * @returns a function that stops the watch. Call it when the connection closes.
   * @throws TypeError if `read` is not a session
   * @example
   * const stop = auth.watchSession(read, (reason) => webSocket.close(4401, reason));
   * webSocket.on('close', stop);
   */
  watchSession(read: ReadSession<Fields>, onEnd: (reason: SessionEnd) => unknown): () => void;
  /**
   * Whether a user has a capability on a resource. The roles of the service decide, with the options `capabilities`,
   * `organizationRoles` and `organizations`. Any capability that no role grants is denied. A disabled user has no
   * capabilities.
   *
   * This method does not know the session of a request. Before you act for a user, also check `privileged` in
   * the result of `sessionOf`. The guard `requirePermission` checks both.
   *
   * @example
   * const ada = await auth.principalOf(userId);
   * if (ada && auth.can(ada, 'organization:members:promote', { organizationId })) showPromoteButton();
   */
  can(principal: Principal, capability: Capability | Extra, resource?: Resource): boolean;
  /**
   * Reads a user with all memberships, for `can`. Returns null if no user has the id.
   *
   * @throws AuthError `unavailable`
   */
  principalOf(userId: string): Promise<Required<Principal> | null>;
  /**
   * Returns the actions of an operator. The actions need no session and no role, so call `asOperator` only from trusted
   * code.
   *
   * @param name the operator's name in the audit log: 1 to 64 characters without control characters
   * @throws TypeError for an invalid name
   * @example const { url } = await auth.asOperator('support desk').users.createRecoveryLink('ada');
   */
  asOperator(name: string): OperatorActions<Fields>;
  /**
   * Subscribes to the audit events with a name, or to all audit events (`'*'`). The service calls the handler after it
   * has stored the event. An event records a successful change or a refused attempt, and `event.outcome` says which. In
   * a burst, one event records `event.count` refused attempts.
   *
   * The service calls handlers in the order of the events. It does not wait for asynchronous handlers, and requests do
   * not wait for any handler. If a handler throws or rejects, the service logs the error.
   *
   * A handler gets each event at most once. It gets no events from other processes. It can miss events while the
   * connection to the database is interrupted. If you need every event, also those of other processes and of the
   * terminal, use a webhook, which gets each event at least once and in order.
   *
   * @returns a function that ends the subscription
   * @throws TypeError for an unknown event name
   * @example
   * const stop = auth.on('account.signup', async ({ outcome, actor }) => {
   *   if (outcome === 'success') await sendWelcome(actor.id);
   * });
   */
  on<Name extends AuditEventName | '*'>(
    name: Name,
    handler: (event: AuditEvent & { event: Name extends '*' ? AuditEventName : Name }) => unknown,
  ): () => void;
  /**
   * Returns the audit events in the order of the log, and waits for new ones: the events of all processes and of the
   * terminal, each at least once. A new event arrives about two seconds after it was committed. The loop ends when
   * `signal` aborts or `close` is called. While the database is unreachable, it waits.
   *
   * To go on after a restart, store the cursor of each event after you have processed it, and pass the stored cursor as
   * `after`. If the process stops in between, the event arrives again. So processing an event twice must do no harm; the
   * event's `id` stays the same.
   *
   * `after: null` starts with the oldest event in the log, and `after: 'end'` with the next one.
   *
   * @throws TypeError for an invalid option
   * @throws AuthError `log_changed` if the log no longer has the event of the cursor, as after a failover that lost the
   *   latest changes, or after the restore of a backup
   * @example
   * for await (const { cursor, event } of auth.events({ after: await readCursor(), events: ['account.'] })) {
   *   await sendToSiem(event);
   *   await storeCursor(cursor);
   * }
   * @see docs/guides/audit-feed.md
   */
  events(options?: EventsOptions): AsyncGenerator<FedEvent, void>;
  /**
   * Returns counts and current values, for a metrics endpoint.
   *
   * @example router.get('/metrics', (ctx) => { ctx.body = auth.statistics(); });
   */
  statistics(): Statistics;
  /**
   * Whether this package can use the schema of the database, for a readiness check. The schema is current, or newer and
   * compatible with this package.
   *
   * @throws AuthError `unavailable` if the database is unreachable or a standby
   */
  isReady(): Promise<boolean>;
  /**
   * Stops background work, records the refusals that this process has only counted, waits up to five seconds for
   * running handlers of `on`, and closes the connections that the service opened. Does not close a client of the
   * application.
   */
  close(): Promise<void>;
}

/** Counts since the service started, and current values. */
export interface Statistics {
  /**
   * The outcomes of requests to the router. Starting a ceremony and finishing it are two requests. For example, the
   * outcome of a sign-in with a passkey is counted for the operation `finishLogin`.
   */
  operations: OperationCount[];
  sessionChecks: SessionStatistics;
  /** The bcrypt queue, which all services of a process share. */
  passwords: PasswordQueue;
  database: DatabaseLoad;
  /** `shared`: whether the processes count requests together in Redis now. Null: the service does not use Redis. */
  rateLimits: { shared: boolean | null };
  /** Webhooks: the events that receivers accepted, and the failed attempts, in this process. */
  webhooks: DeliveryCounts;
  /**
   * `waitingSeconds`: for how long the oldest committed audit event has waited for its position, read once a minute. 0: no
   * event waits. More than 300 means that no process gives positions. Null: not read yet.
   *
   * `witnessSeconds`: how long ago the witness last cosigned the audit log, read once a minute. Null: not read yet, the
   * service has no witness, or the log is empty.
   */
  auditLog: { waitingSeconds: number | null; witnessSeconds: number | null };
  /** The metadata of authenticators in this process. Null: the service has none. */
  authenticatorMetadata: AuthenticatorMetadataState | null;
}
