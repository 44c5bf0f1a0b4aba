/**
 * Thrown if this package cannot use the database's schema, or cannot grant rights on it:
 *
 * - `schema_outdated`, `schema_newer`, `schema_edited`: see `SchemaState`
 * - `schema_locked`: a migration needs a lock that another transaction holds
 * - `schema_not_owned`: the role of the URL does not own the schema
 * - `service_role_missing`, `service_role_owns`: the role of the service does not exist, or owns the schema
 * - `erasure_not_granted`: the role cannot erase users. The call has changed no row.
 *
 * @example
 * if (error instanceof SchemaError && error.code === 'schema_locked') retryLater();
 */
export class SchemaError extends Error {
  override readonly name = 'SchemaError';
  readonly code:
    | 'schema_outdated'
    | 'schema_newer'
    | 'schema_edited'
    | 'schema_locked'
    | 'schema_not_owned'
    | 'service_role_missing'
    | 'service_role_owns'
    | 'erasure_not_granted';

  constructor(code: SchemaError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
