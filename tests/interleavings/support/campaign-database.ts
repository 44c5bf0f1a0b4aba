import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthService } from 'latchkey';
import { startEmbeddedPostgres } from 'latchkey/embedded';
import postgres from 'postgres';

/** A PostgreSQL server for a campaign, with migrated databases. */
export interface CampaignServer {
  /** Creates a migrated database. @returns its URL, with the rights of the owner */
  createDatabase(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startCampaignServer(): Promise<CampaignServer> {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-interleavings-'));
  const { superuserUrl, dataDirectory, stop } = await startEmbeddedPostgres({ directory });
  const admin = postgres(superuserUrl, { max: 1, onnotice: () => {} });
  // No data of a campaign needs to survive a crash.
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes'])
    await admin.unsafe(`alter system set ${setting} = off`);
  await admin.unsafe('select pg_reload_conf()');
  const urlOf = (name: string) => Object.assign(new URL(superuserUrl), { pathname: `/${name}` }).href;
  await admin.unsafe('create database migrated');
  const service = await createAuthService({
    database: urlOf('migrated'),
    migrate: true,
    auditSequencer: false,
    webhookSender: false,
    secret: randomBytes(32).toString('hex'),
    env: {},
  });
  await service.close();
  return {
    async createDatabase(name) {
      await admin.unsafe(`create database ${name} template migrated`);
      return urlOf(name);
    },
    async stop() {
      await admin.end();
      await stop();
      // PostgreSQL does not run as root. If root starts the campaign, the data is in another folder.
      for (const folder of [directory, join(dataDirectory, '..')])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}
