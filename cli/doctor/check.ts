/** What one look of the doctor has found. */
export interface Check {
  /** What was looked at, in a word or two: `Database`. */
  name: string;
  /** `fault`: something does not work, or is not safe. `warning`: it will not be for long. */
  level: 'ok' | 'warning' | 'fault';
  /** What was found. */
  message: string;
  /** Why it matters; where it is not ok. */
  why?: string;
  /** The command or setting that mends it; where it is not ok. */
  mend?: string;
}
