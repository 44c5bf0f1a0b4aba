import { AuthError, type AuthService, type OperatorActions } from 'latchkey';
import { createPauses } from '../../../src/core/pauses.ts';
import { runtimeOf } from '../../../src/service/auth-service.ts';
import { removals } from '../../../src/service/housekeeping.ts';
import type { TestAgent } from '../../support/agent.ts';

/** The answer to an operation: a status and a body of HTTP, or what a call of an operator returned. */
export interface OperationAnswer {
  /** The status, and the code of an error: `200`, `403 forbidden`. For a call of an operator: `ok`, or the code. */
  status: string;
  body: unknown;
}

/** Something that one client does. An operation can run any number of times on the same data. */
export interface Operation {
  /** Who does what: `bob leaves`. */
  name: string;
  /** What runs: a method and a path (`DELETE /auth/session`), or a call of an operator (`users.disable`). */
  target: string;
  run(): Promise<OperationAnswer>;
  /** The operation whose answer this one needs. This one starts when the other one has ended. */
  after?: Operation;
  /**
   * Housekeeping: the most rows that one of its statements changes, by table. Such changes need no audit event. Absent:
   * this is no housekeeping.
   */
  cleans?: Readonly<Record<string, number>>;
}

/** A request from a browser. @param request a method and a path */
export function request(name: string, browser: TestAgent, target: string, body?: object): Operation {
  const [method = '', path = ''] = target.split(' ');
  const content = body === undefined ? null : JSON.stringify(body);
  const headers: Record<string, string> = content === null ? {} : { 'Content-Type': 'application/json' };
  return {
    name,
    target,
    run: async () => {
      // A copy, because the answer can change the cookies.
      const { status, body: answer } = await browser.copy().request(method, path, content, headers);
      return { status: [status, ...(status >= 400 ? [answer?.code] : [])].join(' '), body: answer };
    },
  };
}

/** Two operations: the second one uses the answer of the first one, such as a token. */
export function inTurn(first: Operation, then: (body: unknown) => Operation): [Operation, Operation] {
  let body: unknown = null;
  const giving: Operation = {
    ...first,
    run: async () => {
      const answer = await first.run();
      body = answer.body;
      return answer;
    },
  };
  const { name, target } = then(null);
  return [giving, { name, target, after: giving, run: () => then(body).run() }];
}

type Groups = 'users' | 'invitations' | 'organizations' | 'webhooks';
export type Call = {
  [Group in Groups]: `${Group}.${keyof OperatorActions[Group] & string}`;
}[Groups];

/** A call of an operator, such as the command line makes. */
export function call(
  auth: AuthService,
  name: string,
  target: Call | 'bootstrap',
  ...values: unknown[]
): Operation {
  const operator = auth.asOperator('ops');
  const [group = '', action = ''] = target.split('.');
  const holder = (action ? operator[group as Groups] : operator) as unknown as Record<
    string,
    (...given: unknown[]) => unknown
  >;
  return {
    name,
    target,
    run: () => answerOf(() => holder[action || group]?.(...values)),
  };
}

async function answerOf(work: () => unknown): Promise<OperationAnswer> {
  try {
    return { status: 'ok', body: await work() };
  } catch (error) {
    if (error instanceof AuthError) return { status: error.code, body: null };
    throw error;
  }
}

/** A job of housekeeping, see `removals`. */
export const housekeeping = (auth: AuthService, job: string, cleans: Record<string, number>): Operation => ({
  name: `housekeeping ${job}`,
  target: `housekeeping: ${job}`,
  cleans,
  run: () => answerOf(() => removals[job]?.(runtimeOf(auth, 'housekeeping'), createPauses())),
});
