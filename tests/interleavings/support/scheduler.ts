import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Statement } from 'latchkey';
import { writeMessage } from '../../../src/db/confirm-answer.ts';

/** Runs a statement on a connection that the caller has chosen. */
export type Execute = (statement: Statement) => Promise<object[]>;

/** A statement that an operation wants to run, and that waits for its turn. */
interface Request {
  statement: Statement;
  grant(execute: Execute): void;
}

/**
 * An operation that runs statement by statement. Between two calls of `step`, it waits in the database port and does
 * nothing. There are no timers: an operation pauses when it asks for a statement, and ends when it returns its answer.
 */
export interface Run<Answer> {
  /** The statement that the next step runs. Null: the operation is over. */
  readonly next: Statement | null;
  readonly answer: Answer | null;
  /** Whether the last statement came from `awaitStandby`. It is not a step, because it neither reads nor changes rows. */
  readonly isConfirmed: boolean;
  /** Runs one statement, and what follows it until the next statement or the answer. */
  step(execute: Execute): Promise<void>;
}

/** Finds the operation that sent a statement, also after the request has awaited other promises. */
const current = new AsyncLocalStorage<{ ask(statement: Statement): Promise<object[]> }>();

/**
 * The database port of the service under test. A statement of a scheduled operation waits for its turn.
 *
 * @param execute runs the statements outside of schedules, which create the data of the test
 */
export const schedulingPort = (execute: Execute): Database => ({
  query: async <Row extends object>(statement: Statement) => {
    const run = current.getStore();
    return (await (run ? run.ask(statement) : execute(statement))) as Row[];
  },
});

/** Starts an operation, and returns when it asks for its first statement or ends without one. */
export async function start<Answer>(operation: () => Promise<Answer>): Promise<Run<Answer>> {
  const waiting: Request[] = [];
  let answer: Answer | null = null;
  let failure: { error: unknown } | null = null;
  let isConfirmed = false;
  let pause = signal();

  function ask(statement: Statement): Promise<object[]> {
    isConfirmed = statement.text === writeMessage.text;
    if (isConfirmed) return Promise.resolve([]);
    // A statement after the answer belongs to no step, so no schedule would contain it.
    if (answer !== null) throw new Error(`statement after the answer: ${statement.text}`);
    return new Promise((resolve, reject) => {
      waiting.push({ statement, grant: (execute) => void execute(statement).then(resolve, reject) });
      pause.send();
    });
  }

  /** Waits until the operation asks again or ends. */
  async function untilPaused(): Promise<void> {
    await pause.received;
    if (failure) throw failure.error;
  }

  current
    .run({ ask }, operation)
    .then(
      (result) => {
        answer = result;
      },
      (error: unknown) => {
        failure = { error };
      },
    )
    .finally(() => pause.send());
  await untilPaused();

  return {
    get next() {
      return waiting[0]?.statement ?? null;
    },
    get answer() {
      return answer;
    },
    get isConfirmed() {
      return isConfirmed;
    },
    async step(execute) {
      const request = waiting.shift();
      if (!request) throw new Error('the operation has no next statement');
      pause = signal();
      request.grant(async (statement) => {
        try {
          return await execute(statement);
        } finally {
          // The operation sent several statements at once. The next one already waits.
          if (waiting.length > 0) pause.send();
        }
      });
      await untilPaused();
    },
  };
}

function signal(): { received: Promise<void>; send(): void } {
  let send = () => {};
  const received = new Promise<void>((resolve) => {
    send = resolve;
  });
  return { received, send };
}
