import type { Overview, UserDetails } from '../accounts/overview.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { AuditEventName, AuditOutcome } from '../audit/event-names.ts';
import type { BootstrapOptions, BootstrapResult } from '../bootstrap/bootstrap.ts';
import type { Configuration } from '../core/config.ts';
import type { OperationCount } from '../core/outcomes.ts';
import type { Page, PageRequest } from '../core/page.ts';
import type { ReadSession } from '../core/session.ts';
import type { SessionStatistics } from '../core/session-cache.ts';
import type { Role, User, UserStatus } from '../core/user.ts';
import type { DatabaseLoad } from '../db/compose-database.ts';
import type { SessionSource } from '../http/request-source.ts';
import type {
  CreatedInvitation,
  Invitation,
  InvitationStatus,
  InvitedRole,
} from '../invitations/invitation.ts';
import type {
  CreatedOrganizationInvitation,
  OrganizationInvitation,
  OrganizationInvitationStatus,
} from '../organizations/invitations/organization-invitation.ts';
import type { Member, Organization } from '../organizations/organization.ts';
import type { PasswordQueue } from '../password/hashing.ts';
import type { RecoveryLink } from '../recovery/recovery.ts';
import type { Capability } from '../roles/capabilities.ts';
import type { OrganizationRole, Principal, Resource } from '../roles/principal.ts';
import type { UsernameAvailability } from '../users/operations.ts';
import type { SessionOfOptions } from './session-of.ts';

/**
 * The service. `createAuthService` creates it; `createAuthRouter` mounts its HTTP API.
 *
 * @typeParam Extra the names of the application's capabilities
 */
export interface AuthService<Extra extends string = never> {
  /** The settings that are not secret, with defaults filled in. */
  readonly config: Pick<Configuration, 'production' | 'rpId' | 'rpName' | 'origins' | 'serverAddress'> & {
    /** `__Host-latchkey` over https, `latchkey` over http. */
    readonly sessionCookieName: string;
  };
  readonly users: {
    /**
     * Checks whether a username is available. The result is advice: it can be taken before the user signs up.
     *
     * @throws AuthError `unavailable`
     * @example const { available, reason } = await auth.users.checkAvailability('ada');
     */
    checkAvailability(username: string): Promise<UsernameAvailability>;
  };
  /**
   * Reads the session of a request from its cookie, for WebSockets, server-side rendering and servers other than Koa.
   * Always reads the database. Returns null without a live session, or for a recovery session.
   *
   * Browsers also attach the cookie to requests that other sites start. The origin is checked as by the guards:
   *
   * - A WebSocket handshake (`Upgrade`) with an Origin that is not configured gets null. CORS does not apply to
   *   handshakes, so this check is what prevents cross-site WebSocket hijacking (OWASP, ASVS 5.0 4.4.2).
   * - A request from another site gets null, unless its method is GET, HEAD or OPTIONS.
   * - If only headers are given, the method is unknown: an Origin that is not configured gets null. Pass the request if
   *   it is a mutation.
   *
   * A request without an Origin is not from a browser and is allowed. Each rejection is logged as a warning.
   *
   * A socket stays open after its session ends. Call this again before privileged actions, or close the socket on
   * `auth.on` events.
   *
   * @param source an `http.IncomingMessage`, a Fetch API `Request` or `Headers`, or an object of headers
   * @param options `allowRecovery`: return recovery sessions, too
   * @throws TypeError for another source, but not for the content of a request
   * @throws AuthError `unavailable` if the database is unreachable
   * @example
   * server.on('upgrade', async (request, socket, head) => {
   *   socket.on('error', () => socket.destroy());
   *   const read = await auth.sessionOf(request).catch(() => null);
   *   if (read) return webSockets.handleUpgrade(request, socket, head, (webSocket) => greet(webSocket, read.user));
   *   socket.write('HTTP/1.1 401 Unauthorized\r\n\r\n');
   *   socket.destroy();
   * });
   * @example const read = await auth.sessionOf(request.headers); // server-side rendering
   */
  sessionOf(source: SessionSource, options?: SessionOfOptions): Promise<ReadSession | null>;
  /**
   * Whether a user has a capability on a resource, by the capability tables of the service and the application. Anything
   * not listed there is denied. A user who is not active has no capabilities.
   *
   * @example
   * const ada = await auth.principalOf(userId);
   * if (ada && auth.can(ada, 'organization:members:promote', { organizationId })) showPromoteButton();
   */
  can(principal: Principal, capability: Capability | Extra, resource?: Resource): boolean;
  /** Reads a user with all memberships, for `can`. Null: no user has the id. @throws AuthError `unavailable` */
  principalOf(userId: string): Promise<Required<Principal> | null>;
  /**
   * Returns the actions of an operator. They need no session and no role, so only call this from trusted code.
   *
   * @param name the operator in the audit log: 1 to 64 characters without control characters
   * @throws TypeError for another name
   * @example const { url } = await auth.asOperator('support desk').users.createRecoveryLink('ada');
   */
  asOperator(name: string): OperatorActions;
  /**
   * Subscribes to audit events by name, or to all (`'*'`). The handler is called after the event is in the audit log,
   * for changes and for rejected attempts: see `event.outcome`.
   *
   * Handlers are called in the order of the events. Requests do not wait for them, and neither does the next event. If
   * a handler throws or rejects, the error is logged.
   *
   * A handler gets each event at most once. It gets no events of other processes, and none that was committed while the
   * connection to the database broke. If you need every event, read the audit log.
   *
   * @returns a function that ends the subscription
   * @throws TypeError for an unknown event
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
   * Returns counts since the process started and current values, for a metrics endpoint.
   *
   * @example router.get('/metrics', (ctx) => { ctx.body = auth.statistics(); });
   */
  statistics(): Statistics;
  /**
   * Whether the database answers and its schema is current, for a readiness probe.
   *
   * @throws AuthError `unavailable` if the database is unreachable
   */
  isReady(): Promise<boolean>;
  /**
   * Ends background work, waits up to five seconds for handlers of `on`, and closes the connections that the service
   * opened. Does not close a client of the application.
   */
  close(): Promise<void>;
}

/** Counts since the process started, and current values. */
export interface Statistics {
  /** The outcomes of requests to the router. The outcome of a ceremony is that of its `finish` operation. */
  operations: OperationCount[];
  sessionChecks: SessionStatistics;
  /** The bcrypt queue, which all services of a process share. */
  passwords: PasswordQueue;
  database: DatabaseLoad;
}

/** Filters for the audit log. An event must match all of them. */
export interface AuditSearch {
  /** The name of an event, or a prefix with a dot, such as `passkey.` */
  event?: AuditEventName | `${string}.` | undefined;
  outcome?: AuditOutcome | undefined;
  /** The id of the user who acted. */
  actorId?: string | undefined;
  /** The id of the user or object that was acted on. */
  targetId?: string | undefined;
  organizationId?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/**
 * The actions of an operator. Users are given by username, organizations by slug. The audit log records each change with
 * the operator's name. Every method throws AuthError `unavailable` if the database is unreachable.
 */
export interface OperatorActions {
  /** Counts users, organizations and pending invitations, and lists the superadmins. */
  overview(): Promise<Overview>;
  /**
   * Creates the first superadmin, with a password or with a link that adds a passkey. Can be repeated while the account
   * has neither a password nor a passkey. After that it is rejected, even if the superadmin is deleted, except with
   * `again` if no active superadmin is left.
   *
   * @throws AuthError `already_bootstrapped` | `username_unacceptable` | `username_taken` | `password_unacceptable`
   * @example const { link } = await auth.asOperator('ops').bootstrap({ username: 'ada' });
   */
  bootstrap(superadmin: BootstrapOptions): Promise<BootstrapResult>;
  /** Invitations of admins. */
  readonly invitations: {
    /** Lists invitations, newest first. @throws TypeError for an invalid limit */
    list(
      search?: Partial<PageRequest> & { status?: InvitationStatus | undefined },
    ): Promise<Page<'invitations', Invitation>>;
    /**
     * Creates an invitation that gives the role `admin`.
     *
     * @param request `username`: the only user who can accept, absent: any one user who has the link;
     *   `expiresInHours`: whole hours, 1 to 720, default 72
     * @throws AuthError `username_unacceptable` | `role_already_held` | `account_disabled`
     * @throws TypeError for another lifetime
     * @example const { url } = await auth.asOperator('ops').invitations.create({ username: 'ada' });
     */
    create(request?: {
      username?: string | undefined;
      role?: InvitedRole;
      expiresInHours?: number;
    }): Promise<CreatedInvitation>;
    /** Revokes an invitation. @throws AuthError `not_found` | `invitation_already_accepted` */
    revoke(id: string): Promise<void>;
  };
  /** Methods that take a username throw AuthError `not_found` if no user has it. */
  readonly users: {
    /**
     * Lists users by username.
     *
     * @param search `query`: the beginning of a username or display name
     * @throws TypeError for an invalid limit
     */
    list(
      search?: Partial<PageRequest> & {
        query?: string | undefined;
        role?: Role | undefined;
        status?: UserStatus | undefined;
      },
    ): Promise<Page<'users', User>>;
    /** Reads a user with credentials, live sessions and memberships. */
    get(username: string): Promise<UserDetails>;
    /** Changes the role of a user. @throws AuthError `last_superadmin` */
    changeRole(username: string, role: Role): Promise<User>;
    /** Blocks sign-in, ends all sessions of the user and keeps all data. @throws AuthError `last_superadmin` */
    disable(username: string): Promise<User>;
    /** Allows a disabled user to sign in again. */
    enable(username: string): Promise<User>;
    /** Ends all sessions of a user. Returns how many there were. */
    endSessions(username: string): Promise<number>;
    /**
     * Creates a recovery link for a user, which replaces an earlier one. The link is single-use. It expires an hour after
     * it can first be used (`assistedRecoveryDelaySeconds`). The user sees it in every session and can cancel it.
     *
     * @throws AuthError `account_disabled`
     */
    createRecoveryLink(username: string): Promise<RecoveryLink>;
    /** Cancels the recovery link and ends a recovery that it started. @throws AuthError `not_found` without a link */
    cancelRecoveryLink(username: string): Promise<void>;
    /** Deletes the account permanently. The username stays taken. @throws AuthError `last_superadmin` */
    delete(username: string): Promise<void>;
  };
  /** Methods that take a slug throw AuthError `not_found` if no organization has it. */
  readonly organizations: {
    /** Lists all organizations by slug. `myRole` is null. @throws TypeError for an invalid limit */
    list(page?: Partial<PageRequest>): Promise<Page<'organizations', Organization>>;
    /**
     * Adds a user to an organization without an invitation.
     *
     * @param member `role`: `user` by default
     * @throws AuthError `not_found` if no user has the username | `account_disabled` | `already_a_member`
     * @throws TypeError for another role
     * @example await auth.asOperator('ops').organizations.addMember('engines', { username: 'ada', role: 'admin' });
     */
    addMember(
      slug: string,
      member: { username: string; role?: OrganizationRole | undefined },
    ): Promise<Member>;
    /**
     * Invites a user to an organization, or creates a link, which any one user can accept.
     *
     * @param request `username`: the user to invite, absent: a link; `role`: `user` by default;
     *   `expiresInHours`: whole hours, 1 to 720, default 72
     * @throws AuthError `not_found` if no user has the username | `account_disabled` | `already_a_member` |
     *   `already_invited` | `too_many_invitations` if 100 are pending
     * @throws TypeError for another role or lifetime
     * @example const { url } = await auth.asOperator('ops').organizations.invite('engines');
     */
    invite(
      slug: string,
      request?: {
        username?: string | undefined;
        role?: OrganizationRole | undefined;
        expiresInHours?: number | undefined;
      },
    ): Promise<CreatedOrganizationInvitation>;
    /** Lists the invitations to an organization, newest first. @throws TypeError for an invalid limit */
    listInvitations(
      slug: string,
      search?: Partial<PageRequest> & { status?: OrganizationInvitationStatus | undefined },
    ): Promise<Page<'invitations', OrganizationInvitation>>;
    /** Revokes an invitation to an organization. @throws AuthError `not_found` | `invitation_already_accepted` */
    revokeInvitation(slug: string, id: string): Promise<void>;
  };
  readonly audit: {
    /** Lists events, newest first. @throws TypeError for an invalid filter or limit */
    list(search?: Partial<PageRequest> & AuditSearch): Promise<Page<'events', AuditEvent>>;
    /**
     * Exports the events up to now, oldest first, in batches. The export is recorded as an event.
     *
     * @throws TypeError for an invalid filter
     * @example
     * for await (const events of await auth.asOperator('ops').audit.export({ event: 'passkey.' })) archive(events);
     */
    export(search?: AuditSearch): Promise<AsyncIterable<AuditEvent[]>>;
  };
}
