import type { AnyFlags } from 'meow';

/** What a command is given of the words that were typed. */
export interface Given {
  /** What follows the command's name, in its order. */
  words: string[];
  flags: Record<string, unknown>;
  /** Print for programs: one JSON document. */
  json: boolean;
  /** Whether somebody sits before it who can be asked. */
  interactive: boolean;
}

export interface Command {
  /** What follows the name on its line of help: `<username> [--yes]`. */
  usage: string;
  /** A line each, for the help. */
  options?: readonly (readonly [option: string, meaning: string])[];
  /** How many words it takes, at least and at most. */
  words?: readonly [least: number, most: number];
  flags?: AnyFlags;
  /** Returns the exit code, 0 where it returns none. */
  run(given: Given): Promise<number | undefined>;
}

/** A text flag, or undefined where it was not given. */
export const textFlag = ({ flags }: Given, name: string): string | undefined =>
  typeof flags[name] === 'string' ? (flags[name] as string) : undefined;

export const numberFlag = ({ flags }: Given, name: string): number | undefined =>
  typeof flags[name] === 'number' ? (flags[name] as number) : undefined;

export const hasFlag = ({ flags }: Given, name: string): boolean => flags[name] === true;
