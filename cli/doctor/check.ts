export interface Check {
  /** What was checked, such as `Database`. */
  name: string;
  /** `error`: something does not work or is unsafe. `warning`: something is a risk. */
  level: 'ok' | 'warning' | 'error';
  /** What the check found. */
  message: string;
  /** Why the finding matters. Missing if the level is `ok`. */
  why?: string;
  /** What solves the problem, such as a command or a setting. Missing if the level is `ok`. */
  fix?: string;
}
