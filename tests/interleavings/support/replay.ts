import { createHash } from 'node:crypto';
import type { Finding } from './explore.ts';
import { runSerially } from './explore.ts';
import { exploreCaches, type Situation } from './explore-caches.ts';
import { judgeFault } from './explore-faults.ts';
import { type Deviation, judge } from './judge.ts';
import { type Meeting, meet, type Stage } from './meeting.ts';
import type { Operation } from './operation.ts';
import { following } from './schedules.ts';
import type { OpenStage } from './stage.ts';
import { openSecondInstance } from './two-instances.ts';

export interface Replay {
  deviation: Deviation | null;
  /** Every statement and every answer, for people. */
  text: string;
}

/**
 * Runs one schedule again.
 *
 * @param operations `bob leaves | adm leaves`
 * @param schedule `A A B A&B`
 * @param labels the result of `hashOf` for the statements of the recorded schedule. Absent: not checked
 * @throws Error if the operations now run other statements, because the letters then mean something else
 */
export async function replay(
  stage: Stage & { find(names: string): Operation[] },
  operations: string,
  schedule: string,
  labels?: string,
): Promise<Replay> {
  const found = stage.find(operations);
  const meeting = await meet(stage, found, following(schedule.split(' ')));
  if (!meeting) throw new Error('the schedule did not run');
  if (meeting.answers.includes(null))
    throw new Error('the schedule is too short: the operations run more statements');
  const hash = hashOf(meeting.trace.map(({ label }) => label));
  if (labels !== undefined && labels !== hash)
    throw new Error(
      `the statements are not those of the recorded schedule\n${textOfMeeting(found, meeting)}`,
    );
  const serials = await runSerially(stage, found);
  const complete = serials[0]?.meeting as Meeting;
  const deviation = /[!?]/.test(schedule)
    ? judgeFault(meeting, complete)
    : judge(meeting, serials, stage.initial);
  const verdict = deviation ? `${deviation.kind}: ${deviation.detail}` : 'the outcome of a serial order';
  return { deviation, text: `${textOfMeeting(found, meeting)}\n${verdict}` };
}

/** A short hash of the statements of a schedule. */
const hashOf = (labels: readonly string[]): string =>
  createHash('sha256').update(labels.join('\n')).digest('hex').slice(0, 6);

/** A finding, with the command that repeats it. @param superadmins see `createWorld` */
export function textOf(
  {
    kind,
    detail,
    operations,
    schedule,
    labels,
  }: Omit<Finding, 'accepted' | 'labels'> & { labels?: string[] },
  superadmins = true,
): string {
  const options = [...(labels ? [hashOf(labels)] : []), ...(superadmins ? [] : ['--without-superadmins'])];
  const command = ['npm run interleavings -- replay', `"${operations}"`, `"${schedule}"`, ...options];
  return `${kind}: ${detail}\n${command.join(' ')}`;
}

/** Runs one course of events at a second instance again, such as `notified`. */
export async function replayCaches(
  stage: OpenStage,
  operations: string,
  situation: Situation,
): Promise<Replay> {
  const second = await openSecondInstance(stage.world);
  try {
    const [operation] = stage.find(operations) as [Operation];
    const [deviation = null] = (await exploreCaches(stage, second, operation, [situation])).findings;
    return { deviation, text: deviation?.detail ?? 'the second instance knows the sessions' };
  } finally {
    await second.close();
  }
}

function textOfMeeting(operations: readonly Operation[], { steps, trace, answers, broken }: Meeting): string {
  const overlapping = steps.flatMap((step) =>
    step.split('&').map((_, n) => (step.includes('&') && n === 0 ? '╮' : ' ')),
  );
  const statements = trace.map(({ letter, label, effects, result }, n) => {
    const outcome = result instanceof Error ? result.message : `${result} rows`;
    const changed = [...effects].map(([name, count]) => `${name} ${count}`).join(', ');
    return `${letter}${overlapping[n]} ${label} → ${outcome}${changed && ` (changed: ${changed})`}`;
  });
  const ends = operations.map(
    ({ name }, n) =>
      `${'ABCD'[n]}: ${name} → ${answers[n]?.status} ${JSON.stringify(answers[n]?.body)?.slice(0, 300)}`,
  );
  return [...statements, ...ends, ...broken.map((name) => `broken: ${name}`)].join('\n');
}
