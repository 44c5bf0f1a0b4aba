import type { CliContext } from './cli-context.ts';
import { databaseLabel } from './database-label.ts';
import { featuresOf } from './features.ts';
import { type OpenService, readSchema } from './service.ts';

export async function createCliContext({
  auth,
  operator,
  operatorName,
  database,
}: OpenService): Promise<CliContext> {
  return {
    operator,
    operatorName,
    origin: auth.config.origins[0],
    database: databaseLabel(database.source),
    schema: await readSchema(database.source, database.setting),
    passwordMinLength: auth.config.passwordMinLength,
    features: featuresOf(auth.config),
    checkUsername: (username) => auth.users.checkAvailability(username),
    runDoctor: async () => (await import('./doctor/examine.ts')).examine(database),
  };
}
