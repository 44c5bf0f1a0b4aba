import { openSchema } from 'latchkey';
import type { Desk } from './desk.ts';
import { databaseLabel, type OpenService } from './service.ts';

/** What the screens work with, over the service. */
export async function deskOf({ auth, operator, operatorName, database }: OpenService): Promise<Desk> {
  const schema = openSchema(database.url);
  try {
    return {
      operator,
      operatorName,
      origin: auth.config.origins[0],
      database: databaseLabel(database.url),
      schema: await schema.read(),
      checkUsername: (username) => auth.users.checkAvailability(username),
      runDoctor: async () => (await import('./doctor/examine.ts')).examine(database),
    };
  } finally {
    await schema.close();
  }
}
