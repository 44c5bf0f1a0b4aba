import { createHash } from 'node:crypto';

/**
 * One step of a schedule. A letter runs the next statement of one operation. `A&B` runs the next statement of A, starts
 * the next statement of B before A has committed, and then commits both. `A!` and `A?` run it with a fault (see `Fault`).
 */
export type Step = string;

/** A step that is possible now. `reads`: the step changes and locks no row. */
export interface Choice {
  step: Step;
  reads: boolean;
}

/** A place at which a schedule could continue in several ways. */
interface Fork {
  choices: readonly Choice[];
  taken: Choice;
  /** Steps that lead only to schedules equivalent to one that was already tried. */
  asleep: Set<Step>;
}

/**
 * Enumerates all schedules of a few operations, each once, by running them again and again. Two schedules that differ
 * only in the order of two adjacent reads have the same effect, so only one of them runs. This is a depth-first search
 * with sleep sets (Godefroid, Partial-Order Methods for the Verification of Concurrent Systems, chapter 5).
 */
export class Search {
  #forks: Fork[] = [];
  #depth = 0;

  /** Returns the next step of the current schedule. Null: an equivalent schedule has already run, so this one can end. */
  choose(choices: readonly Choice[]): Step | null {
    const known = this.#forks[this.#depth];
    if (known) {
      this.#depth += 1;
      return known.taken.step;
    }
    const asleep = stillAsleep(this.#forks[this.#depth - 1]);
    const taken = choices.find(({ step }) => !asleep.has(step));
    if (!taken) return null;
    this.#forks.push({ choices, taken, asleep });
    this.#depth += 1;
    return taken.step;
  }

  /** Goes to the next schedule. @returns false if all schedules have run */
  advance(): boolean {
    this.#depth = 0;
    for (let fork = this.#forks.at(-1); fork; fork = this.#forks.at(-1)) {
      const { choices, asleep, taken } = fork;
      asleep.add(taken.step);
      const next = choices.find(({ step }) => !asleep.has(step));
      if (next) {
        fork.taken = next;
        return true;
      }
      this.#forks.pop();
    }
    return false;
  }
}

/** Some random schedules. The seed decides which. */
export class Sample {
  #tried = 0;
  #choices = 0;
  #size: number;
  #seed: string;

  constructor(size: number, seed: string) {
    this.#size = size;
    this.#seed = seed;
  }

  choose(choices: readonly Choice[]): Step {
    this.#choices += 1;
    const digest = createHash('sha256').update(`${this.#seed} ${this.#choices}`).digest();
    return (choices[digest.readUInt32BE(0) % choices.length] as Choice).step;
  }

  advance(): boolean {
    this.#tried += 1;
    return this.#tried < this.#size;
  }
}

/** A read that was tried before stays asleep while only reads run, because it could have run before them. */
function stillAsleep(before: Fork | undefined): Set<Step> {
  if (!before?.taken.reads) return new Set();
  const reads = new Set(before.choices.filter(({ reads: isRead }) => isRead).map(({ step }) => step));
  return new Set([...before.asleep].filter((step) => reads.has(step)));
}

/** Follows a given schedule. Stops with an error where the schedule is impossible. */
export function following(steps: readonly Step[]): (choices: readonly Choice[]) => Step | undefined {
  const rest = [...steps];
  return (choices) => {
    const step = rest.shift();
    if (step === undefined || choices.some((choice) => choice.step === step.replace(/[!?]$/, '')))
      return step;
    throw new Error(
      `the step ${step} is impossible here. Possible: ${choices.map((choice) => choice.step).join(', ')}`,
    );
  };
}

/** Runs some of the operations one after the other. The others do not run. */
export const oneAfterTheOther =
  (order: string) =>
  (choices: readonly Choice[]): Step | undefined =>
    [...order].find((name) => choices.some(({ step }) => step === name));
