import { createAuthService, type DatabaseSource } from 'latchkey';
import { configuredDatabase, type OpenDatabase, operatorName, silence } from '../service.ts';
import { configuredOptions, settingsFiles } from '../settings.ts';
import { examineAuditLog } from './audit-log.ts';
import { examineAuthenticators } from './authenticators.ts';
import type { Check } from './check.ts';
import { examineDatabase } from './database.ts';
import { examineBcrypt, examineRelatedOrigins } from './machine.ts';
import { examineOrganizationRoles } from './organization-roles.ts';
import { examineRedis } from './redis.ts';
import { examineSecretUses } from './secrets.ts';
import { examineSettings } from './settings.ts';
import { examineSuperadmins } from './superadmins.ts';
import { examineTampering, examineWitness } from './tampering.ts';
import { examineUsernames } from './usernames.ts';
import { examineWebhooks } from './webhooks.ts';

/** Runs all checks that are possible. Some need a valid configuration or a usable database. */
export async function examine(database: Pick<OpenDatabase, 'source' | 'setting'> | null): Promise<Check[]> {
  const { config, checks: settings } = examineSettings();
  const found =
    database === null
      ? { checks: [missingDatabase(configuredDatabase()?.setting ?? 'DATABASE_URL')], usable: false }
      : await examineDatabase(database, config?.auditRetentionDays ?? null);
  const users =
    config && database && found.usable ? await examineUsers(database.source, config.passkeyTimeoutMs) : [];
  const machine = config
    ? await Promise.all([examineBcrypt(config), examineRedis(config), examineRelatedOrigins(config)])
    : [];
  return [...filesRead(), ...settings, ...found.checks, ...users, ...machine];
}

function filesRead(): Check[] {
  const files = settingsFiles();
  return files.length === 0
    ? []
    : [{ name: 'Settings', level: 'ok', message: `from ${files.join(' and ')}` }];
}

const missingDatabase = (setting: string): Check => ({
  name: 'Database',
  level: 'error',
  message: `${setting} is missing or invalid`,
  why: 'Without a database, the service does not start.',
  fix: `Set ${setting} to postgresql://user:password@host:port/database`,
});

async function examineUsers(database: DatabaseSource, passkeyTimeoutMs: number): Promise<Check[]> {
  const auth = await createAuthService({
    ...configuredOptions(),
    database,
    migrate: false,
    redis: undefined,
    redisUrl: '',
    webhookSender: false,
    auditSequencer: false,
    log: silence,
  });
  try {
    const operator = auth.asOperator(operatorName());
    const superadmins = examineSuperadmins(await operator.overview());
    const usernames = examineUsernames(await operator.users.countUnderOtherRules());
    const roles =
      auth.config.organizations === null
        ? []
        : examineOrganizationRoles(await operator.organizations.listUnconfiguredRoles());
    const secrets = examineSecretUses(await operator.secretUses(), passkeyTimeoutMs);
    const webhooks = auth.config.webhooks === null ? [] : examineWebhooks(await operator.webhooks.list());
    const auditLog = examineAuditLog(await operator.audit.backlog());
    const tampering = examineTampering(await operator.audit.verify({ newest: 1000 }));
    const witness = examineWitness((await operator.audit.checkpoint()).witness, new Date());
    const authenticators = examineAuthenticators(
      await operator.users.testAuthenticatorPolicy(),
      auth.statistics().authenticatorMetadata,
    );
    return [
      ...superadmins,
      ...secrets,
      ...usernames,
      ...authenticators,
      ...roles,
      ...auditLog,
      ...tampering,
      ...witness,
      ...webhooks,
    ];
  } finally {
    await auth.close();
  }
}
