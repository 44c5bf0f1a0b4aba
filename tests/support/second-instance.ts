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
