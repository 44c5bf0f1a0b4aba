import type { GenericSchema } from 'valibot';
import type { AuditEventName, AuditTarget } from '../audit/event-names.ts';
import type { BudgetName } from '../core/budgets.ts';
import type { ErrorCode } from '../core/errors.ts';
import type { Capability } from '../roles/capabilities.ts';

/**
 * The session that an endpoint requires:
 *
 * - `none`: no session is read
 * - `any_session`: a live session, full or recovery
 * - `full_session`: a live session that is not a recovery session
 * - `fresh`: a full session with fresh authentication (ASVS 5.0 7.5.1)
 * - `fresh_or_recovering`: a full session with fresh authentication, or a recovery session
 */
export type Access = 'none' | 'any_session' | 'full_session' | 'fresh' | 'fresh_or_recovering';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A response whose body is not JSON. */
export interface OtherContent {
  contentType: string;
  description: string;
}

/**
 * The declaration of an endpoint. The router checks requests against it and the OpenAPI document is generated from it, so
 * the two always agree.
 */
export interface Endpoint {
  /** Method and path under the prefix. `:name` is a parameter. */
  readonly on: `${Method} /${string}`;
  readonly access: Access;
  /** The capability that the caller needs. For organization capabilities, the `:id` of the path is the organization. */
  readonly requires?: Capability;
  /** The audit event of the endpoint. A rejection before the handler runs is recorded as its failure. */
  readonly event?: AuditEventName;
  /** The type of the object with the path's `:id`, for the audit log. */
  readonly target?: Extract<
    AuditTarget['type'],
    'user' | 'invitation' | 'organization' | 'passkey' | 'session'
  >;
  /** Accepts a cached session, because the endpoint needs neither a role nor fresh authentication. */
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
  /** The successful responses by status. Null: no content. */
  readonly answers: { readonly [status: number]: GenericSchema | OtherContent | null };
  /** Error codes in addition to those that follow from the other fields. */
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
