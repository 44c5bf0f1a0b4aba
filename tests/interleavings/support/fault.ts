import type { Run } from './scheduler.ts';
import type { Step } from './schedules.ts';

/**
 * The connection to PostgreSQL fails at a statement:
 * - before: the statement does not run
 * - after: the statement commits, but the service gets no result
 */
export type Fault = 'before' | 'after';

const marks: Record<Fault, string> = { before: '!', after: '?' };

/** The step that runs a statement with a fault: `A!` or `A?`. */
export const withFault = (step: Step, fault: Fault): Step => `${step}${marks[fault]}`;

export function faultOf(step: Step): Fault | null {
  if (step.endsWith(marks.before)) return 'before';
  return step.endsWith(marks.after) ? 'after' : null;
}

/** An error as postgres.js throws it. */
const connectionError = () =>
  Object.assign(new Error('write CONNECTION_CLOSED 127.0.0.1:5432'), { code: 'CONNECTION_CLOSED' });

/** The same operation, whose next statement has the fault. */
export const failing = <Answer>(run: Run<Answer>, fault: Fault | null): Run<Answer> =>
  fault === null
    ? run
    : {
        next: run.next,
        answer: run.answer,
        isConfirmed: run.isConfirmed,
        step: (execute) =>
          run.step(async (statement) => {
            if (fault === 'after') await execute(statement);
            throw connectionError();
          }),
      };
