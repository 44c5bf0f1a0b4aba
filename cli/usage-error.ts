/** What was typed cannot be understood: the message says what is expected. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
