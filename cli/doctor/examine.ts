import { createAuthService } from 'latchkey';
import { type OpenDatabase, operatorName, silence } from '../service.ts';
import type { Check } from './check.ts';
import { examineDatabase } from './database.ts';
import { examineBcrypt, examineRelatedOrigins } from './machine.ts';
import { examineRedis } from './redis.ts';
import { examineSettings } from './settings.ts';
import { examineSuperadmins } from './superadmins.ts';
import { examineUsernames } from './usernames.ts';

/** Runs all checks that are possible. Some need a valid configuration or a usable database. */
export async function examine(database: Pick<OpenDatabase, 'url'> | null): Promise<Check[]> {
  const { config, checks: settings } = examineSettings();
  const found =
    database === null
      ? { checks: [missingDatabase], usable: false }
      : await examineDatabase(database.url, config?.auditRetentionSeconds ?? null);
  const users = config && database && found.usable ? await examineUsers(database.url) : [];
  const machine = config
    ? await Promise.all([examineBcrypt(config), examineRedis(config), examineRelatedOrigins(config)])
    : [];
  return [...settings, ...found.checks, ...users, ...machine];
}

const missingDatabase: Check = {
  name: 'Database',
  level: 'error',
  message: 'DATABASE_URL is missing or invalid',
  why: 'Without a database, the service does not start.',
  fix: 'Set DATABASE_URL to postgresql://user:password@host:port/database',
};

async function examineUsers(url: string): Promise<Check[]> {
  const auth = await createAuthService({ database: url, redisUrl: '', log: silence });
  try {
    const operator = auth.asOperator(operatorName());
    const superadmins = examineSuperadmins(await operator.overview());
    return [...superadmins, ...examineUsernames(await operator.users.countUnderOtherRules())];
  } finally {
    await auth.close();
  }
}
