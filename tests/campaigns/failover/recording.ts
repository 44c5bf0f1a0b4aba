import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type History, type Recorded, readHistories, roundMark } from './histories/recorded.ts';
import type { StepOutcome } from './outcome.ts';

/** The options of a run that its results depend on. */
export interface Settings {
  readonly seed: number;
  readonly seconds: number;
  readonly asynchronous: boolean;
  /** Whether the rounds contain all faults, with and without HAProxy. */
  readonly isComplete: boolean;
}

/** The completed rounds of one run. A resumed campaign has several runs, each with its own clusters. */
export interface RunResults {
  /** When the run began (ISO 8601). */
  readonly at: string;
  readonly seconds: number;
  readonly cores: number;
  readonly settings: Settings;
  readonly rounds: number;
  readonly outcomes: readonly StepOutcome[];
  /** Problems of the audit log at the end of the last round. */
  readonly problems: readonly string[];
}

/** Writes what the campaign observes to a folder at once, so that no later error can lose it. */
export class Recording {
  readonly #runFile: string;
  readonly #historiesFile: string;

  /** @param number distinguishes the runs in the folder, from 1 */
  constructor(folder: string, number: number) {
    mkdirSync(folder, { recursive: true });
    this.#runFile = join(folder, `run-${number}.json`);
    this.#historiesFile = historiesFile(folder, number);
  }

  add(recorded: Recorded): void {
    appendFileSync(this.#historiesFile, `${JSON.stringify(recorded)}\n`);
  }

  /** Records the results of all rounds of this run until now. */
  completeRound(run: RunResults): void {
    appendFileSync(this.#historiesFile, `${JSON.stringify(roundMark(run.rounds))}\n`);
    // A signal must not leave half a file.
    writeFileSync(`${this.#runFile}.new`, JSON.stringify(run));
    renameSync(`${this.#runFile}.new`, this.#runFile);
  }
}

/** Each run in the folder, with the histories of its completed rounds. */
export interface RecordedRun extends RunResults {
  readonly histories: readonly History[];
}

export function readRecording(folder: string): RecordedRun[] {
  return numbersIn(folder).flatMap((number) => {
    const runFile = join(folder, `run-${number}.json`);
    // A run that ended in its first round has no completed round.
    if (!existsSync(runFile)) return [];
    const run: RunResults = JSON.parse(readFileSync(runFile, 'utf8'));
    return [{ ...run, histories: readHistories(historiesFile(folder, number), run.rounds) }];
  });
}

/** The number of the next run in the folder. */
export const nextNumber = (folder: string): number => (numbersIn(folder).at(-1) ?? 0) + 1;

function numbersIn(folder: string): number[] {
  if (!existsSync(folder)) return [];
  const numbers = readdirSync(folder).flatMap((name) => /^histories-(\d+)\.ndjson$/.exec(name)?.[1] ?? []);
  return numbers.map(Number).sort((one, other) => one - other);
}

const historiesFile = (folder: string, number: number): string => join(folder, `histories-${number}.ndjson`);
