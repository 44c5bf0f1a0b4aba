/** One invalid setting. */
export interface ConfigurationFault {
  /** The name of the option, such as `sessionTtlSeconds`. Without an option: the environment variable. */
  setting: string;
  /** The value as JSON, `nothing`, the length of a secret, or a description such as `an unknown option`. */
  given: string;
  /** The values that are allowed. */
  expected: string;
}

/**
 * The configuration is invalid. The error lists every fault.
 *
 * @example
 * try {
 *   await createAuthService(options);
 * } catch (error) {
 *   if (error instanceof ConfigurationError) console.error(error.faults.map(({ setting }) => setting));
 *   else throw error;
 * }
 */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  readonly faults: readonly ConfigurationFault[];

  constructor(faults: readonly ConfigurationFault[]) {
    const lines = faults.map(
      ({ setting, given, expected }) => `  ${setting}: given ${given}; expected ${expected}`,
    );
    super(`Invalid configuration:\n${lines.join('\n')}`);
    this.faults = faults;
  }
}

/** A setting before it is checked. */
export interface Given {
  /** The name to report: the option, or the environment variable. */
  name: string;
  /** Undefined: missing or empty. */
  text: string | undefined;
}

/** Collects the faults of a configuration, so that one error can list all of them. */
export class FaultList {
  readonly faults: ConfigurationFault[] = [];

  add(name: string, given: string | undefined, expected: string): void {
    const shown = given === undefined ? 'nothing' : JSON.stringify(given);
    this.faults.push({ setting: name, given: shown, expected });
  }

  /** Adds a fault without its value. */
  addSecret(name: string, given: string | undefined, expected: string): void {
    const shown = given === undefined ? 'nothing' : `(${given.length} characters, not shown)`;
    this.faults.push({ setting: name, given: shown, expected });
  }

  /** Adds a fault whose value is described, not shown. */
  addText(name: string, given: string, expected: string): void {
    this.faults.push({ setting: name, given, expected });
  }

  throwIfAny(): void {
    if (this.faults.length > 0) throw new ConfigurationError(this.faults);
  }
}
