import { readFileSync } from 'node:fs';
import { type Results, writeResults } from '../../campaigns/results.ts';
import { mutants } from '../mutants.ts';
import { hashOfSources } from './progress.ts';

interface MutantResults extends Results {
  version: string;
  /** How many mutants there are. */
  planned: number;
  /** How many of them were tried on these sources, in all runs. */
  tried: number;
  caught: number;
  /** Mutants that no schedule can show, see `InterleavingMutant.equivalent`. */
  equivalent: number;
  /** Whether the schedules have shown a mutant, by its description. */
  shown: Record<string, boolean>;
}

const name = 'interleavings-mutants';

/** Adds the result of a mutant to the results of earlier runs with the same sources. @returns the path of the file */
export function recordMutant(
  breaks: string,
  isCaught: boolean,
  { at, seconds }: Pick<Results, 'at' | 'seconds'>,
): Promise<string> {
  const version = hashOfSources();
  const recorded = readRecorded();
  const earlier = recorded?.version === version ? recorded.shown : {};
  const all: Record<string, boolean> = { ...earlier, [breaks]: isCaught };
  const tried = mutants.filter((mutant) => mutant.breaks in all);
  const isShown = (mutant: (typeof mutants)[number]) => all[mutant.breaks] === true;
  return writeResults<MutantResults>(name, {
    campaign: name,
    command: 'npm run interleavings -- --mutants',
    at,
    seconds,
    version,
    planned: mutants.length,
    tried: tried.length,
    caught: tried.filter(isShown).length,
    equivalent: tried.filter((mutant) => !isShown(mutant) && mutant.equivalent !== undefined).length,
    shown: Object.fromEntries(tried.map((mutant) => [mutant.breaks, isShown(mutant)])),
  });
}

function readRecorded(): MutantResults | null {
  try {
    return JSON.parse(readFileSync(`tests/evidence/results/${name}.json`, 'utf8')) as MutantResults;
  } catch {
    return null;
  }
}
