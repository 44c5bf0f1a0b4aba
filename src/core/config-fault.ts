/** One setting that cannot be used: its variable, what was given (secrets masked), what is expected. */
export interface ConfigurationFault {
  variable: string;
  given: string;
  expected: string;
}

/** Thrown when the configuration cannot be used; lists every fault at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly ConfigurationFault[];

  constructor(faults: readonly ConfigurationFault[]) {
    const lines = faults.map(
      ({ variable, given, expected }) => `  ${variable}: given ${given}; expected ${expected}`,
    );
    super(`The configuration cannot be used:\n${lines.join('\n')}`);
    this.faults = faults;
  }
}

/** Reads raw settings one by one and keeps a list of what is wrong with them. */
export class FaultList {
  readonly faults: ConfigurationFault[] = [];

  add(variable: string, given: string | undefined, expected: string): void {
    this.faults.push({ variable, given: given === undefined ? 'nothing' : JSON.stringify(given), expected });
  }

  /** As `add`, for a value that must not be printed. */
  addSecret(variable: string, given: string | undefined, expected: string): void {
    const shown = given === undefined ? 'nothing' : `(${given.length} characters, not shown)`;
    this.faults.push({ variable, given: shown, expected });
  }

  throwIfAny(): void {
    if (this.faults.length > 0) throw new ConfigurationError(this.faults);
  }
}
