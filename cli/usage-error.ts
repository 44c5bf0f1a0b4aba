/** What was typed cannot be understood: the message says what is expected, and the help how it is used. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
