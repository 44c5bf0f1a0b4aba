import { AuthError } from '../core/errors.ts';
import type { Runtime } from '../core/runtime.ts';
import type { CreatedAccount } from '../core/sign-up.ts';
import { lacksServiceRight } from '../db/service-role.ts';
import { Sql, sql } from '../db/sql.ts';

/**
 * The CTE `application`, followed by a comma, with the statement of `signUp.after`. Empty without `signUp.after`. The
 * CTE does not depend on other CTEs, so the statement around it must fail if it creates no account (see
 * `NewUser.requires`).
 *
 * @throws TypeError for an invalid return value of `signUp.after`
 */
export function applicationStatement({ signUp }: Runtime, created: CreatedAccount): Sql {
  const fragment = signUp.statementFor(created);
  // The line break ends a comment at the end of the fragment.
  return fragment === null
    ? sql``
    : sql`application as (${new Sql(fragment.strings, fragment.values)}
      ),`;
}

/**
 * Returns an error that names `signUp.after`, for an error of a statement with the CTE `application`. The database does
 * not report which part of the statement caused the error. The tests of Latchkey cover all other parts, except a role
 * that lacks rights on the tables of the service. Errors of an unavailable database, such as deadlocks, are an
 * `AuthError`.
 */
export function explainStatementError({ signUp }: Runtime, error: unknown): unknown {
  if (
    !signUp.hasStatement ||
    error instanceof AuthError ||
    error instanceof TypeError ||
    lacksServiceRight(error) ||
    !(error instanceof Error)
  )
    return error;
  return new Error(
    `signUp.after: the database refused the statement, so no account was created: ${error.message}`,
    { cause: error },
  );
}
