/** A small defect that someone could write by mistake. The tests must notice it. `npm run mutants` checks this. */
export interface Mutant {
  /** The file to change, relative to the repository root. */
  file: string;
  /** The text to replace. It occurs exactly once in the file. */
  replace: string;
  by: string;
  /** What is wrong with the changed code: "A session without expiry is live". */
  breaks: string;
  /** The test files of which at least one must fail. The fastest comes first. */
  killedBy: string[];
}
