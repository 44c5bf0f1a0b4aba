/** Exit codes for scripts. `docs/reference/terminal.md` lists them. */
export const exitCodes = {
  done: 0,
  /** A bug in Latchkey. Node exits with the same code after an uncaught exception. */
  bug: 1,
  /** Input or configuration that cannot be used. */
  unusable: 2,
  /** The current state does not allow the command. For example, a superadmin already exists or no user has the name. */
  refused: 3,
  /** The database is unreachable or reports an error, or its schema does not match this version. */
  database: 4,
  /** Not completed: the operator canceled, a link expired, or the operating system reported an error. */
  stopped: 5,
} as const;
