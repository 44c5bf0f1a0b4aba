/** What scripts decide by; the README lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  /** Input or configuration that cannot be used. */
  unusable: 2,
  /** What is asked for does not go with how things stand: a superadmin exists, nobody has that name. */
  refused: 3,
  /** The database cannot be reached, or its schema is not the one this version works on. */
  database: 4,
} as const;
