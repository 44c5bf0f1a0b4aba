import { existsSync, readFileSync } from 'node:fs';
import { auditEventNames } from 'latchkey';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cluster, createCluster, newestBinaries } from '../campaigns/audit-order/cluster.ts';
import { createWorkspace, type Workspace } from '../campaigns/failover/workspace.ts';
import { logIn, signUp } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { startServiceOn } from '../support/service-on.ts';
import { readGuide } from './support/guide.ts';
import { createFolder, runShell } from './support/shell-blocks.ts';

const path = 'docs/guides/backup-and-restore.md';
const guide = readGuide(path);
const hasPrograms = existsSync('/usr/lib/postgresql');
if (!hasPrograms) {
  if (process.env.CI === 'true') throw new Error('CI needs PostgreSQL: apt-get install postgresql');
  process.stdout.write(
    'skipped: backup and restore, because PostgreSQL is not installed (apt-get install postgresql)\n',
  );
}

const blocks = {
  role: guide.block('create role'),
  dump: guide.block('pg_dump'),
  restore: guide.block('pg_restore'),
  migrate: guide.block('--service-role'),
  endSessions: guide.block('end-all-sessions'),
  newLog: guide.block('new-log'),
};

// The embedded PostgreSQL has no pg_dump, and a pg_dump of Debian can be older than the embedded server.
describe.skipIf(!hasPrograms)('with a PostgreSQL from a Debian package', () => {
  let workspace: Workspace;
  let cluster: Cluster;
  beforeAll(async () => {
    workspace = await createWorkspace();
    cluster = await createCluster(workspace, 'backup');
  });
  afterAll(() => workspace.remove(false));

  test('the steps of the guide restore accounts and passkeys, end all sessions, and start a new audit log', async () => {
    const admin = postgres(cluster.url, { max: 1, onnotice: () => {} });
    await admin`create role latchkey_service login`;
    await admin`create role latchkey_owner login`;
    await admin.unsafe(blocks.role);
    await admin`create database app owner latchkey_owner`;
    await admin.end();
    const urlOf = (pathname: string, username = 'postgres') =>
      Object.assign(new URL(cluster.url), { pathname, username }).href;
    const service = urlOf('app_restored', 'latchkey_service');
    const env = {
      PATH: `${newestBinaries()}:${process.env.PATH}`,
      ADMIN_DATABASE_URL: cluster.url,
      BACKUP_DATABASE_URL: urlOf('app', 'latchkey_backup'),
      RESTORED_DATABASE_URL: urlOf('app_restored'),
      MIGRATION_DATABASE_URL: urlOf('app_restored', 'latchkey_owner'),
      DATABASE_URL: service,
    };
    const folder = createFolder();
    const run = async (code: string) => {
      const result = await runShell(code, { env, folder });
      expect(result).toMatchObject({ exitCode: 0 });
      return result;
    };

    const before = await startServiceOn(urlOf('app', 'latchkey_service'), {
      migrate: true,
      migrationDatabase: urlOf('app', 'latchkey_owner'),
    });
    const { authenticator, browser } = await signUp(before, { username: 'ada' });
    const sql = postgres(urlOf('app'), { max: 1, onnotice: () => {} });
    await before.auth.asOperator('ops').users.createRecoveryLink('ada');
    await sequence(sql);
    await sql.end();
    await run(blocks.dump);
    await browser.delete('/auth/session');
    const ended = new Map(browser.cookies);
    const still = before.browser();
    await logIn(still, authenticator);
    await before.close();

    await run(blocks.restore);
    await run(blocks.migrate);
    const owner = postgres(urlOf('app_restored'), { max: 1, onnotice: () => {} });
    const rows = async () => {
      const [sessions, links] = await Promise.all([
        owner`select id from latchkey.sessions`,
        owner`select user_id from latchkey.recovery_links`,
      ]);
      return [sessions.length, links.length];
    };
    expect(await rows()).toEqual([1, 1]);
    await run(blocks.endSessions);
    expect(await rows()).toEqual([0, 0]);
    await owner.end();
    await run(blocks.newLog);

    const after = await startServiceOn(service);
    for (const cookies of [ended, still.cookies])
      expect((await after.browser(cookies).get('/auth/session')).status).toBe(401);
    expect((await logIn(after.browser(), authenticator)).status).toBe(200);
    const { events } = await after.auth.asOperator('ops').audit.list({ event: 'audit.new_log' });
    expect(events).toMatchObject([{ details: { statedReason: 'restored the backup of Monday' } }]);
    await after.close();
  });
});

test('the guide names only audit events that exist', () => {
  const text = readFileSync(path, 'utf8');
  const named = [
    ...text.matchAll(
      /`((?:passkey|password|user|account|recovery_code|member|invitation|organization_invitation)\.\w+)`/g,
    ),
  ];
  expect(named.length).toBeGreaterThan(8);
  for (const [, name] of named) expect(auditEventNames).toContain(name);
});
