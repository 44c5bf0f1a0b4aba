import { brokenByStatement, isAudited } from '../invariants.ts';
import { runSerially } from './explore.ts';
import { withFault } from './fault.ts';
import type { Deviation } from './judge.ts';
import { isRead } from './label.ts';
import { type Meeting, meet, type Stage } from './meeting.ts';
import type { Operation } from './operation.ts';
import { following } from './schedules.ts';

export interface FaultExploration {
  faults: number;
  findings: (Deviation & { operations: string; schedule: string })[];
}

/** Lets the connection fail at each statement of an operation that writes, before and after the statement runs. */
export async function exploreFaults(stage: Stage, operation: Operation): Promise<FaultExploration> {
  const [complete] = await runSerially(stage, [operation]);
  const steps = complete?.meeting.steps ?? [];
  const writes = (complete?.meeting.trace ?? []).flatMap(({ statement }, n) =>
    isRead(statement) ? [] : [n],
  );
  const findings: FaultExploration['findings'] = [];
  for (const at of writes) {
    for (const fault of ['before', 'after'] as const) {
      const schedule = [...steps.slice(0, at), withFault('A', fault)];
      const meeting = await runWithFault(stage, operation, schedule);
      const deviation = judgeFault(meeting, complete?.meeting as Meeting);
      if (deviation)
        findings.push({ ...deviation, operations: operation.name, schedule: meeting.steps.join(' ') });
    }
  }
  return { faults: writes.length * 2, findings };
}

/** After the fault, the operation can run more statements. */
async function runWithFault(stage: Stage, operation: Operation, schedule: string[]): Promise<Meeting> {
  const given = following(schedule);
  return (await meet(stage, [operation], (choices) => given(choices) ?? choices[0]?.step)) as Meeting;
}

/**
 * An operation that lost its connection has happened completely, or not at all. It has happened if its answer says so.
 *
 * @param complete the same operation without a fault
 */
export function judgeFault(meeting: Meeting, complete: Meeting): Deviation | null {
  const status = `${meeting.answers[0]?.status}`;
  const [unrecorded] = meeting.trace.flatMap(brokenByStatement);
  if (unrecorded) return { kind: 'audit', detail: unrecorded };
  const broken = meeting.broken.filter((name) => !complete.broken.includes(name));
  if (broken.length > 0) return { kind: 'invariant', detail: broken.join(', ') };
  const [changes, expected] = [changesIn(meeting), changesIn(complete)];
  const isComplete = changes.join() === expected.join();
  if (!isComplete && changes.length > 0) return { kind: 'state', detail: changes.join('\n') };
  const succeeded = /^(2|ok)/.test(status);
  if (succeeded ? !isComplete : !/^(503 )?unavailable$/.test(status))
    return { kind: 'status', detail: `${status}, and ${isComplete ? 'everything' : 'nothing'} is stored` };
  return null;
}

/** The changed rows, without those that only make later requests cheaper, or refuse them. */
const changesIn = ({ changes }: Meeting): string[] =>
  changes.filter((row) => isAudited(row.split(' ')[1] ?? ''));
