import type { AuthServiceOptions, Statement } from 'latchkey';
import postgres from 'postgres';
import { type ServiceOn, startServiceOn } from './service-on.ts';
import type { TestService } from './test-service.ts';

/**
 * Starts another service on the same database, like a second process. The options can be different.
 *
 * @param before a function that runs before every statement. If it throws, the statement fails.
 */
export async function startSecondInstance(
  service: TestService,
  options: AuthServiceOptions = {},
  before: (statement: string) => unknown = () => {},
): Promise<ServiceOn> {
  const client = postgres(service.database.url, { fetch_types: false, onnotice: () => {} });
  const database = {
    query: async <Row extends object>({ text, values }: Statement) => {
      await before(text);
      return [...(await client.unsafe<Row[]>(text, values as never[], { prepare: values.length > 0 }))];
    },
  };
  const instance = await startServiceOn(database, options);
  return {
    ...instance,
    close: async () => {
      await instance.close();
      await client.end({ timeout: 1 });
    },
  };
}

/** An action of one instance, and a change of the database during the action. */
interface Meeting<Outcome> {
  act(instance: ServiceOn): Promise<Outcome>;
  /** Matches statements. The change runs before each matching statement. */
  before: RegExp;
  /** Changes rows and returns their number. */
  change(): Promise<{ count: number }>;
  options?: AuthServiceOptions;
}

/**
 * Matches the second attempt to open a session, which ends the oldest sessions of the account. It follows if the first
 * attempt opened no session.
 */
const isSecondAttempt = /ended_oldest/;

/** Runs an action on a second instance and changes the database between the statements of the action. */
export async function meet<Outcome>(
  service: TestService,
  { act, before, change, options = {} }: Meeting<Outcome>,
): Promise<{ answer: Outcome; changed: number }> {
  let changed = 0;
  const instance = await startSecondInstance(service, options, async (statement) => {
    if (before.test(statement) && !isSecondAttempt.test(statement)) changed += (await change()).count;
  });
  try {
    return { answer: await act(instance), changed };
  } finally {
    await instance.close();
  }
}
