import { openSchema } from 'latchkey';
import type { CliContext } from './cli-context.ts';
import { databaseLabel } from './database-label.ts';
import type { OpenService } from './service.ts';

export async function createCliContext({
  auth,
  operator,
  operatorName,
  database,
}: OpenService): Promise<CliContext> {
  const schema = openSchema(database.url);
  try {
    return {
      operator,
      operatorName,
      origin: auth.config.origins[0],
      database: databaseLabel(database.url),
      schema: await schema.read(),
      passwordMinLength: auth.config.passwordMinLength,
      checkUsername: (username) => auth.users.checkAvailability(username),
      runDoctor: async () => (await import('./doctor/examine.ts')).examine(database),
    };
  } finally {
    await schema.close();
  }
}
