/** Why the database cannot be used. */
export type DatabaseProblem =
  | 'host_unknown'
  | 'connection_refused'
  | 'no_answer'
  | 'not_primary'
  | 'password_wrong'
  | 'role_missing'
  | 'role_refused'
  | 'database_missing'
  | 'connect_denied'
  | 'create_denied'
  | 'rights_missing'
  | 'too_many_connections'
  | 'client_closed'
  | 'other';

/**
 * The error of a start without a usable database. The message says why the database cannot be used and what to do next,
 * for example which `grant` is missing. It contains the host, the database and the role, but never the password.
 *
 * After the start, operations throw an `AuthError` `unavailable` instead.
 *
 * @example
 * try {
 *   await createAuthService();
 * } catch (error) {
 *   if (error instanceof DatabaseError && error.code === 'connection_refused') await startDatabase();
 *   else throw error;
 * }
 */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code: DatabaseProblem;
  /** What is wrong, without a final period, such as `127.0.0.1:5432 refuses connections`. */
  readonly problem: string;
  /** What to do next, without a final period. */
  readonly nextStep: string;

  constructor(code: DatabaseProblem, problem: string, nextStep: string, options?: ErrorOptions) {
    super(`The database cannot be used: ${problem}. ${nextStep}.`, options);
    this.code = code;
    this.problem = problem;
    this.nextStep = nextStep;
  }
}
