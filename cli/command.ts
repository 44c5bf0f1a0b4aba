/** A flag in meow's format, with the texts of its help line. */
export interface Flag {
  type: 'string' | 'number' | 'boolean';
  shortFlag?: string;
  choices?: readonly string[];
  about: string;
  /** What the help calls its value: `name` gives `--username <name>`. */
  value?: string;
  /** The range of a number. Numbers must be whole. */
  range?: readonly [min: number, max: number];
}

export type Flags = Readonly<Record<string, Flag>>;

type ValueOf<F> = F extends { type: 'boolean' }
  ? boolean
  : F extends { choices: readonly (infer Choice)[] }
    ? Choice | undefined
    : F extends { type: 'number' }
      ? number | undefined
      : string | undefined;

/** What was typed after the command's name. */
export interface Input<F extends Flags = Flags> {
  args: string[];
  flags: { [Name in keyof F]: ValueOf<F[Name]> };
  /** Print one JSON document instead of text. */
  json: boolean;
  /** Whether the operator can answer questions. */
  interactive: boolean;
}

export interface Command<F extends Flags = Flags> {
  /** The arguments, all required: `<slug> <username>`. */
  args?: string;
  flags?: F;
  /** A paragraph below the options of the help. */
  note?: string;
  /** Returns the exit code; undefined counts as 0. */
  run(input: Input<F>): Promise<number | undefined>;
}

/** Declares a command, so that the types of its flags reach `run`. */
export const command = <const F extends Flags = Record<never, never>>(declared: Command<F>): Command =>
  declared;
