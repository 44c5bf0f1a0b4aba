import type { CliContext } from './cli-context.ts';
import { databaseLabel } from './database-label.ts';
import { type OpenService, readSchema } from './service.ts';

export async function createCliContext({
  auth,
  operator,
  operatorName,
  database,
}: OpenService): Promise<CliContext> {
  const { adminInvitations, organizations, signUpMode } = auth.config;
  return {
    operator,
    operatorName,
    origin: auth.config.origins[0],
    database: databaseLabel(database.source),
    schema: await readSchema(database.source, database.setting),
    passwordMinLength: auth.config.passwordMinLength,
    features: {
      organizations: organizations !== null,
      adminInvitations,
      invitations: adminInvitations || signUpMode !== 'closed',
    },
    checkUsername: (username) => auth.users.checkAvailability(username),
    runDoctor: async () => (await import('./doctor/examine.ts')).examine(database),
  };
}
