import type { AuthServiceOptions, Statement } from 'latchkey';
import postgres from 'postgres';
import { type ServiceOn, startServiceOn } from './service-on.ts';
import type { TestService } from './test-service.ts';

/**
 * The service once more on the same database, as another process or another configuration of it.
 *
 * @param before called ahead of every statement, to let something happen just then, or to fail in its place
 */
export async function startSecondInstance(
  service: TestService,
  options: AuthServiceOptions = {},
  before: (statement: string) => unknown = () => {},
): Promise<ServiceOn> {
  const client = postgres(service.database.url, { onnotice: () => {} });
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

/** What one instance does, while something else happens to the database. */
interface Meeting<Outcome> {
  act(instance: ServiceOn): Promise<Outcome>;
  /** Ahead of each statement like this … */
  before: RegExp;
  /** … this happens, and tells how much it has changed. */
  change(): Promise<{ count: number }>;
  options?: AuthServiceOptions;
}

/** Lets a second instance do something that is met by a change in the middle of it. */
export async function meet<Outcome>(
  service: TestService,
  { act, before, change, options = {} }: Meeting<Outcome>,
): Promise<{ answer: Outcome; changed: number }> {
  let changed = 0;
  const instance = await startSecondInstance(service, options, async (statement) => {
    if (before.test(statement)) changed += (await change()).count;
  });
  try {
    return { answer: await act(instance), changed };
  } finally {
    await instance.close();
  }
}
