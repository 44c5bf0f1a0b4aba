/** The error of a configuration file or an `.env` file that the command cannot use. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** What to do next. */
  readonly next: string;

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.next = next;
  }
}
