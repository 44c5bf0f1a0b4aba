import { existsSync, readFileSync } from 'node:fs';

/** The files in `tests/evidence/results/`. Each campaign writes its file. */
export interface Measured {
  campaign: string;
  command: string;
  /** When the last run began, in RFC 3339. */
  at: string;
  seconds: number;
}

/** The kinds of groups that `tests/interleavings/support/plan.ts` describes. */
type Groups = Record<'pairs' | 'faults' | 'caches' | 'bootstraps' | 'chains' | 'triples', number>;

export interface Interleavings extends Measured {
  operations: number;
  /** How many groups of operations there are, and how many of them were tried. */
  planned: Groups;
  tried: Groups;
  schedules: number;
  overlapped: number;
  /** Schedules in which a write failed. */
  faults: number;
  acceptedByReason: Record<string, number>;
  unexplained: unknown[];
}

export interface InterleavingMutants extends Measured {
  /** How many defects there are, and how many of them were tried. */
  planned: number;
  tried: number;
  caught: number;
  equivalent: number;
}

export interface FuzzCampaign extends Measured {
  executions: number;
  findings: number;
  targets: {
    target: string;
    runs: unknown[];
    seconds: number;
    executions: number;
    coverage: { functions: number };
    findings: number;
  }[];
}

interface Spread {
  median: number;
  max: number;
}

export interface Failover extends Measured {
  rounds: number;
  requests: number;
  acknowledged: number;
  lost: number;
  recordedTwice: number;
  acceptedLateMs: number;
  violations: string[];
  steps: {
    step: string;
    rounds: number;
    readsWorkAfterSeconds: Spread;
    mutationsWorkAfterSeconds: Spread;
    failed: Record<string, number>;
    lost: number;
  }[];
  histories: {
    model: string;
    keys: number;
    operations: number;
    unknown: number;
    notLinearizable: number;
    /** Missing in results from before the check had a limit. */
    undecided?: number;
  }[];
}

export interface Soak extends Measured {
  requests: number;
  faults: Record<string, number>;
  /** `isFlat` is null if the run was too short to judge. */
  findings: { measure: string; isFlat: boolean | null }[];
}

export interface AuditOrder extends Measured {
  kills: number;
  checks: { check: string; events: number; faults: string[] }[];
}

export interface Webhooks extends Measured {
  kills: number;
  events: number;
  requests: number;
  missing: number;
  outOfOrder: number;
  invalidSignatures: number;
}

/** The results of the last run of a campaign, or null if no run is recorded. */
export type ReadResults = <Results extends Measured>(campaign: string) => Results | null;

/** Reads `tests/evidence/results/`. */
export const readResults: ReadResults = (campaign) => {
  const path = `tests/evidence/results/${campaign}.json`;
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null;
};

export const count = (value: number): string => value.toLocaleString('en-US');
