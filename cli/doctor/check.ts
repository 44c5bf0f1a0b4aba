/** The result of one check. */
export interface Check {
  /** What was checked: `Database`. */
  name: string;
  /** `error`: it does not work or is unsafe. `warning`: it is a risk. */
  level: 'ok' | 'warning' | 'error';
  /** The finding. */
  message: string;
  /** Why it matters, unless the level is `ok`. */
  why?: string;
  /** The command or setting that fixes it, unless the level is `ok`. */
  fix?: string;
}
