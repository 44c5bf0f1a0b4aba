import type { GenericSchema } from 'valibot';
import type { AuditEventName, AuditTarget } from '../audit/event-names.ts';
import type { BudgetName } from '../core/budgets.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Capability } from '../roles/capabilities.ts';

/**
 * The session that an endpoint asks for:
 *
 * - `none`: no session is read
 * - `any_session`: a live session, also a recovery session
 * - `full_session`: a live session that is not a recovery session
 * - `fresh`: as `full_session`, with fresh authentication
 * - `fresh_or_recovering`: as `fresh`, or a recovery session, which counts as fresh for what it can do
 */
export type Access = 'none' | 'any_session' | 'full_session' | 'fresh' | 'fresh_or_recovering';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** An answer whose body is not JSON. */
export interface OtherContent {
  contentType: string;
  description: string;
}

/**
 * One endpoint of the HTTP API. The router checks requests by it, and the OpenAPI document is made from it, so the two
 * always agree.
 */
export interface Endpoint {
  /** Method and path below the prefix, `:name` for a parameter. */
  readonly on: `${Method} /${string}`;
  readonly access: Access;
  /** The capability that the caller needs. A capability in one organization is checked for the `:id` of the path. */
  readonly requires?: Capability;
  /** The act in the audit log. A caller who is refused before the handler runs is recorded under it. */
  readonly event?: AuditEventName;
  /** What the `:id` of the path names, for the audit log. */
  readonly target?: Extract<
    AuditTarget['type'],
    'user' | 'invitation' | 'organization' | 'passkey' | 'session'
  >;
  /** A cached session is enough: the endpoint needs neither a role nor fresh authentication. */
  readonly cachedSession?: true;
  /** The rate limit that a request counts against. */
  readonly budget: BudgetName;
  /** One line. */
  readonly summary: string;
  readonly description?: string;
  /** Absent: no body, or an empty object. */
  readonly body?: GenericSchema;
  /** Absent: the query is ignored. */
  readonly query?: GenericSchema;
  /** The successful answers by status. Null: no content. */
  readonly answers: { readonly [status: number]: GenericSchema | OtherContent | null };
  /** The endpoint's own error codes, beside those that follow from the other fields. */
  readonly errors?: readonly ErrorCode[];
}

/** The endpoints of a feature by operation id. */
export type Endpoints = { readonly [operationId: string]: Endpoint };

/** Adds its operation id to each endpoint of a feature. */
export const endpoints = <const Table extends Endpoints>(table: Table): Named<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([operation, endpoint]) => [operation, { ...endpoint, operation }]),
  ) as Named<Table>;

type Named<Table extends Endpoints> = {
  readonly [Operation in keyof Table]: Table[Operation] & { readonly operation: Operation };
};
