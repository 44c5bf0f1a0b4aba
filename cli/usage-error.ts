/** The command line is invalid. `help` shows the usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly help: string | undefined;

  constructor(message: string, help?: string) {
    super(message);
    this.help = help;
  }
}
