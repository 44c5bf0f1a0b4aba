import type { GenericSchema } from 'valibot';
import type { BudgetName } from '../core/budgets.ts';
import type { ErrorCode } from '../core/errors.ts';

/**
 * Who may ask:
 *
 * - `anybody`
 * - `any_session`: somebody with a live session of either kind
 * - `signed_in`: with a live, full session
 * - `fresh`: as `signed_in`, with fresh authentication
 * - `fresh_or_recovering`: as `fresh`, or with a recovery session, which counts as fresh for what it may do
 */
export type Access = 'anybody' | 'any_session' | 'signed_in' | 'fresh' | 'fresh_or_recovering';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What a body of ours that is not JSON is described by. */
export interface OtherContent {
  contentType: string;
  description: string;
}

/**
 * One endpoint as others see it. The router checks requests by it, and the OpenAPI document says it: so the two cannot
 * part.
 */
export interface Endpoint {
  /** Method and path below the prefix, `:name` for a parameter. */
  readonly on: `${Method} /${string}`;
  readonly access: Access;
  /** What is remembered of the session will do: for what needs neither a role nor fresh authentication. */
  readonly fromMemory?: true;
  /** What it is counted against. */
  readonly budget: BudgetName;
  /** In one line. */
  readonly summary: string;
  readonly description?: string;
  /** Absent: no body, or an empty object. */
  readonly body?: GenericSchema;
  /** Absent: a query is not looked at. */
  readonly query?: GenericSchema;
  /** The successes by their status. Null: no content. */
  readonly answers: { readonly [status: number]: GenericSchema | OtherContent | null };
  /** Refusals of its own, beside those that follow from the rest. */
  readonly errors?: readonly ErrorCode[];
}

/** The endpoints of a feature by their names, which are the document's operation ids. */
export type Endpoints = { readonly [operationId: string]: Endpoint };

/** A feature's endpoints, each as it is written and with its name. */
export const endpoints = <const Table extends Endpoints>(table: Table): Named<Table> =>
  Object.fromEntries(
    Object.entries(table).map(([operation, endpoint]) => [operation, { ...endpoint, operation }]),
  ) as Named<Table>;

type Named<Table extends Endpoints> = {
  readonly [Operation in keyof Table]: Table[Operation] & { readonly operation: Operation };
};
