/** The log in the database does not continue what this service has signed. */
export class LogChangedError extends Error {
  override name = 'LogChangedError';
}
