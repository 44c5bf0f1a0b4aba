/** A configuration file or an `.env` file that cannot be used. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  /** What to do about it. */
  readonly next: string;

  constructor(message: string, next: string, options?: ErrorOptions) {
    super(message, options);
    this.next = next;
  }
}
