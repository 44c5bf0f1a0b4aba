import type { Overview, UserDetails } from '../accounts/overview.ts';
import type { AuditEvent } from '../audit/event.ts';
import type { AuditEventName, AuditOutcome } from '../audit/event-names.ts';
import type { Bootstrap, Bootstrapped } from '../bootstrap/bootstrap.ts';
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
 * The service: what `createAuthService` returns and `createAuthRouter` mounts.
 *
 * @typeParam Extra names of the capabilities that the application has added
 */
export interface AuthService<Extra extends string = never> {
  /** Settings that are no secret, as they were understood. */
  readonly config: Pick<Configuration, 'production' | 'rpId' | 'rpName' | 'origins' | 'serverAddress'> & {
    /** `__Host-latchkey` over https, `latchkey` over http. */
    readonly sessionCookieName: string;
  };
  readonly users: {
    /** Whether a username could be signed up with just now; advice only, signup decides. */
    checkAvailability(username: string): Promise<UsernameAvailability>;
  };
  /**
   * The live, full session that a request presents in its cookie, read from its row; null where there is none. For
   * WebSockets, server-side rendering and servers other than Koa.
   *
   * The cookie comes along with requests that other sites start, so the origin is checked as the guards check it:
   *
   * - A WebSocket handshake (`Upgrade`) with an Origin that is not configured gives null. CORS does not apply to
   *   handshakes, so nothing else stops cross-site WebSocket hijacking (OWASP, ASVS 5.0 4.4.2).
   * - So does a request that another site started, unless it is GET, HEAD or OPTIONS.
   * - Headers alone do not tell the method: then a foreign Origin gives null. Pass the request where it is a mutation.
   *
   * A request without an Origin is not from a browser, and passes. Refusals are logged as warnings.
   *
   * A socket stays open after its session ends. Call this again before privileged actions, or close it on `auth.on`
   * events.
   *
   * @param source an `http.IncomingMessage`, a Fetch API `Request` or `Headers`, or an object of headers
   * @param options `allowRecovery`: return a recovery session, too
   * @throws TypeError for any other source, but never for what a client sent
   * @throws AuthError `unavailable` while the database cannot be reached
   * @example
   * server.on('upgrade', async (request, socket, head) => {
   *   socket.on('error', () => socket.destroy());
   *   const read = await auth.sessionOf(request).catch(() => null);
   *   if (read) return webSockets.handleUpgrade(request, socket, head, (webSocket) => greet(webSocket, read.user));
   *   socket.write('HTTP/1.1 401 Unauthorized\r\n\r\n');
   *   socket.destroy();
   * });
   * @example const read = await auth.sessionOf(request.headers); // in a page that is rendered on the server
   */
  sessionOf(source: SessionSource, options?: SessionOfOptions): Promise<ReadSession | null>;
  /**
   * Whether somebody may do something to a resource, by the service's table and the application's. Denied unless
   * granted; a user who is not active may do nothing.
   *
   * @example auth.can(principal, 'organization:members:promote', { organizationId })
   */
  can(principal: Principal, capability: Capability | Extra, resource?: Resource): boolean;
  /** A user with all of their memberships, for `can`; null where there is none of that id. */
  principalOf(userId: string): Promise<Required<Principal> | null>;
  /**
   * What whoever runs the service may do: this code is trusted with everything, and no session is asked for.
   *
   * @param name what the audit log calls them: 1 to 64 characters
   * @throws TypeError for another name
   * @example const { url } = await auth.asOperator('support desk').users.createRecoveryLink('ada');
   */
  asOperator(name: string): OperatorActions;
  /**
   * Calls a handler with every event of a name, or with all (`'*'`), once it is in the audit log: a refused attempt as
   * well as a change, told apart by `event.outcome`. No request waits for handlers. One that throws or rejects is
   * logged, and that is all. They are called in the order of the events, each without waiting for the one before.
   *
   * A handler hears of an event at most once, and only of what this process has written: what another process did, or
   * what was committed while the connection broke, is in the audit log alone. Who needs every event reads the log.
   *
   * @returns stops listening
   * @throws TypeError for a name that no event has
   * @example
   * const stop = auth.on('account.signup', async ({ outcome, actor }) => {
   *   if (outcome === 'success') await sendWelcome(actor.id);
   * });
   */
  on<Name extends AuditEventName | '*'>(
    name: Name,
    handler: (event: AuditEvent & { event: Name extends '*' ? AuditEventName : Name }) => unknown,
  ): () => void;
  /** What this process has done since it began and is doing now, for a metrics endpoint of the app's own. */
  statistics(): Statistics;
  /** Whether the database answers and its schema is current. @throws AuthError `unavailable` */
  isReady(): Promise<boolean>;
  /**
   * Ends background work, lets handlers of `on` finish for up to five seconds, and closes the connections that the
   * service opened itself.
   */
  close(): Promise<void>;
}

/** Sums since the process began, and what is under way. */
export interface Statistics {
  /** How requests to the router were answered; a ceremony's outcome is that of its `finish` operation. */
  operations: OperationCount[];
  sessionChecks: SessionStatistics;
  /** bcrypt's queue, which all services of a process share. */
  passwords: PasswordQueue;
  database: DatabaseLoad;
}

/** What to look for in the audit log; everything that is given must hold. */
export interface AuditSearch {
  /** An event's name, or a noun with its dot: `passkey.` */
  event?: AuditEventName | `${string}.` | undefined;
  outcome?: AuditOutcome | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  organizationId?: string | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  to?: Date | undefined;
}

/** What an operator may do. People are named by their username; every change is in the audit log under the operator. */
export interface OperatorActions {
  /** What there is, at a glance, and how safe the superadmins are. */
  overview(): Promise<Overview>;
  /**
   * Makes the first superadmin, with a password or with a link to make a passkey with. It happens once: deleting them
   * later does not open it again, unless with `again` and no active superadmin left. As long as nobody has been able to
   * get into the account it can be done over.
   *
   * @throws AuthError `already_bootstrapped` | `username_unacceptable` | `username_taken` | `password_unacceptable`
   */
  bootstrap(superadmin: Bootstrap): Promise<Bootstrapped>;
  readonly invitations: {
    /** The newest first. */
    list(
      search?: Partial<PageRequest> & { status?: InvitationStatus | undefined },
    ): Promise<Page<Invitation>>;
    /**
     * @param request whom it is for (whoever has the link where absent), and for how many hours: 1 to 720, default 72
     * @throws AuthError `username_unacceptable` | `role_already_held` | `account_disabled`
     */
    create(request?: {
      username?: string | undefined;
      role?: InvitedRole;
      expiresInHours?: number;
    }): Promise<CreatedInvitation>;
    /** @throws AuthError `not_found` | `invitation_already_accepted` */
    revoke(id: string): Promise<void>;
  };
  /** Every method that takes a username throws AuthError `not_found` where nobody has it. */
  readonly users: {
    /** By username. `query` is the beginning of a username or display name. */
    list(
      search?: Partial<PageRequest> & {
        query?: string | undefined;
        role?: Role | undefined;
        status?: UserStatus | undefined;
      },
    ): Promise<Page<User>>;
    /** A user with credentials, sessions and memberships. */
    get(username: string): Promise<UserDetails>;
    /** @throws AuthError `last_superadmin` */
    changeRole(username: string, role: Role): Promise<User>;
    /** Ends every session of theirs, too. @throws AuthError `last_superadmin` */
    disable(username: string): Promise<User>;
    enable(username: string): Promise<User>;
    /** Returns how many sessions were alive. */
    endSessions(username: string): Promise<number>;
    /**
     * Makes a recovery link for a user, which replaces an earlier one. It can be used once, for an hour after the
     * waiting time (`ASSISTED_RECOVERY_DELAY`). The user sees it in every session and can cancel it.
     *
     * @throws AuthError `account_disabled`
     */
    createRecoveryLink(username: string): Promise<RecoveryLink>;
    /** Voids the recovery link and ends any recovery that it opened. @throws AuthError `not_found` if there is none */
    cancelRecoveryLink(username: string): Promise<void>;
    /** Deletes the account permanently. The username stays taken. @throws AuthError `last_superadmin` */
    delete(username: string): Promise<void>;
  };
  /** Every method that takes a slug throws AuthError `not_found` where no organization has it. */
  readonly organizations: {
    /** By slug. `myRole` is null: operators are not members. */
    list(page?: Partial<PageRequest>): Promise<Page<Organization>>;
    /**
     * Adds a user to an organization without asking them. To ask them first, see `invite`.
     *
     * @param member whom to add; `role` is `user` by default
     * @throws AuthError `not_found` where no user has the username | `account_disabled` | `already_a_member`
     * @throws TypeError for another role
     * @example await auth.asOperator('ops').organizations.addMember('engines', { username: 'ada', role: 'admin' });
     */
    addMember(
      slug: string,
      member: { username: string; role?: OrganizationRole | undefined },
    ): Promise<Member>;
    /**
     * Invites a user to an organization, or makes a link, which any one user can accept.
     *
     * @param request `username`: the user to invite, a link where absent; `role`: `user` by default;
     *   `expiresInHours`: whole hours, 1 to 720, 72 by default
     * @throws AuthError `not_found` where no user has the username | `account_disabled` | `already_a_member` |
     *   `already_invited` | `too_many_invitations` where 100 are pending
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
    /** The invitations to an organization, newest first. */
    listInvitations(
      slug: string,
      search?: Partial<PageRequest> & { status?: OrganizationInvitationStatus | undefined },
    ): Promise<Page<OrganizationInvitation>>;
    /** @throws AuthError `not_found` | `invitation_already_accepted` */
    revokeInvitation(slug: string, id: string): Promise<void>;
  };
  readonly audit: {
    /** The newest first. */
    list(search?: Partial<PageRequest> & AuditSearch): Promise<Page<AuditEvent>>;
    /** Everything up to now, the oldest first, in batches; that it is taken out is an event itself. */
    export(search?: AuditSearch): Promise<AsyncIterable<AuditEvent[]>>;
  };
}
