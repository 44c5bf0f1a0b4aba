import type { GenericSchema } from 'valibot';
import type { AuditEventName, AuditTarget } from '../audit/event-names.ts';
import type { BudgetName } from '../core/budgets.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Capability } from '../roles/capabilities.ts';

/**
 * The session that an endpoint requires:
 *
 * - `none`: the endpoint works without a session
 * - `any_session_or_none`: as `any_session`; without a session, the handler decides what to answer
 * - `any_session`: a full session or a recovery session
 * - `full_session`: a session that is not a recovery session
 * - `fresh`: a full session with fresh authentication (ASVS 5.0, 7.5.1), with a passkey if the user has one
 * - `fresh_or_recovering`: as `fresh`, or a recovery session
 */
export type Access =
  | 'none'
  | 'any_session_or_none'
  | 'any_session'
  | 'full_session'
  | 'fresh'
  | 'fresh_or_recovering';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response whose body is not JSON. */
export interface OtherContent {
  contentType: string;
  /** Another content type of the same response, which a query parameter selects. */
  otherContentType?: string;
  description: string;
}

/**
 * The declaration of an endpoint. The router checks requests against the declaration, and the OpenAPI document is
 * generated from the declarations. So the document always describes what the router does.
 */
export interface Endpoint {
  /**
   * The method, and the path under the prefix of the router. `:name` is a path parameter. `*name` is a parameter that can
   * contain slashes.
   */
  readonly on: `${Method} /${string}`;
  readonly access: Access;
  /** The capability that the caller needs. For an organization capability, `:id` in the path is the organization. */
  readonly requires?: Capability;
  /**
   * The caller needs the capability for all resources of the service. So it is not enough to have it for the
   * organizations that the caller manages.
   */
  readonly everywhere?: true;
  /**
   * The option that opens the endpoint to everyone. Then the endpoint needs no session and no capability, and the handler
   * gets null as the caller. See `asServed`.
   */
  readonly publicWith?: 'auditLogPublic';
  /** The audit event for a refusal before the handler runs. Absent: the audit log does not record such a refusal. */
  readonly event?: AuditEventName;
  /** What `:id` in the path identifies, for the audit log. */
  readonly target?: Extract<
    AuditTarget['type'],
    'user' | 'invitation' | 'organization' | 'passkey' | 'session' | 'webhook'
  >;
  /**
   * The feature without which the endpoint does not exist: organizations, admin invitations, invitations to the service
   * of any kind, impersonation, webhooks, or the witness for other audit logs. See `isAvailable`.
   */
  readonly needs?:
    | 'organizations'
    | 'admin_invitations'
    | 'invitations'
    | 'impersonation'
    | 'webhooks'
    | 'audit_witness';
  /**
   * Whether the endpoint works in an impersonated session. Absent: only if it is a GET endpoint, because such a session
   * can read what the user can read, but cannot change the account.
   */
  readonly whileImpersonating?: 'allowed' | 'refused';
  /** The session can come from the cache. Only for endpoints that need neither a role nor fresh authentication. */
  readonly cachedSession?: true;
  /** The response can contain a new session token, for clients that use bearer tokens. */
  readonly returnsToken?: true;
  /** Requests to the endpoint count against this rate limit. */
  readonly budget: BudgetName;
  readonly summary: string;
  readonly description?: string;
  /** The schema of the body. Absent: the body must be missing or an empty object. GET endpoints ignore the body. */
  readonly body?: GenericSchema;
  /** Only for a body that is text: what it contains. The request can then have any content type. */
  readonly text?: string;
  /** The schema of the query. Absent: the query is ignored. */
  readonly query?: GenericSchema;
  /** The responses of the handler by status. Null: no content. */
  readonly answers: { readonly [status: number]: GenericSchema | OtherContent | null };
  /** The error codes of the handler. The codes that follow from the other fields are added automatically. */
  readonly errors?: readonly ErrorCode[];
}

/** Whether the endpoint works in an impersonated session. */
export const allowsImpersonation = ({
  on,
  access,
  whileImpersonating = on.startsWith('GET ') ? 'allowed' : 'refused',
}: Pick<Endpoint, 'on' | 'access' | 'whileImpersonating'>): boolean =>
  access === 'none' || whileImpersonating === 'allowed';

/** Endpoints by operation id. */
export type Endpoints = { readonly [operationId: string]: Endpoint };

/** Adds the operation id to each endpoint. @param needs for endpoints that declare no `needs` themselves */
export const endpoints = <const Table extends Endpoints>(
  table: Table,
  needs?: Endpoint['needs'],
): Named<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([operation, endpoint]) => [
      operation,
      { ...(needs && { needs }), ...endpoint, operation },
    ]),
  ) as Named<Table>;

type Named<Table extends Endpoints> = {
  readonly [Operation in keyof Table]: Table[Operation] & { readonly operation: Operation };
};
