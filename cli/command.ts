import type { Features } from './features.ts';

/** A flag in meow's format, with texts for the help. */
export interface Flag {
  type: 'string' | 'number' | 'boolean';
  shortFlag?: string;
  choices?: readonly string[];
  about: string;
  /** What the help shows instead if features are switched off. Null: the same as with all features. */
  without?: (features: Features) => Pick<Flag, 'about' | 'choices'> | null;
  /** The name of the value in the help. For example, `name` gives `--username <name>`. */
  value?: string;
  /** The range of a whole number. */
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

/** The arguments and flags after the command's name. */
export interface Input<F extends Flags = Flags> {
  args: string[];
  flags: { [Name in keyof F]: ValueOf<F[Name]> };
  /** Whether to print one JSON document instead of text. */
  json: boolean;
  /** Whether the operator can answer questions. */
  interactive: boolean;
}

export interface Command<F extends Flags = Flags> {
  /** The arguments, such as `<slug> <username>`. All are required. */
  args?: string;
  flags?: F;
  /** A paragraph below the options in the help. */
  note?: string;
  /** Returns the exit code. Undefined means 0. */
  run(input: Input<F>): Promise<number | undefined>;
}

/** Declares a command. Infers the types of the flags for `run`. */
export const command = <const F extends Flags = Record<never, never>>(declared: Command<F>): Command =>
  declared;
