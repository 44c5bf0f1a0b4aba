import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signUp } from '../../support/person.ts';
import { sequence } from '../../support/sequencing.ts';
import { type ServiceOn, startServiceOn } from '../../support/service-on.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { runCommand, temporaryFolders } from './support/command.ts';

const guide = readFileSync(
  fileURLToPath(new URL('../../../docs/guides/audit-log.md', import.meta.url)),
  'utf8',
);
const [, section = ''] = /^## Commands$(.*?)^## /ms.exec(guide) ?? [];
const commands = [...section.matchAll(/^\| `latchkey ([^`]+)` \|/gm)].map(([, line = '']) => line);

let database: TestDatabase;
let service: ServiceOn;
let folder: string;
const newFolder = temporaryFolders();
beforeAll(async () => {
  database = await createTestDatabase();
  service = await startServiceOn(database.url);
  await signUp(service, { username: 'ada' });
  await sequence(database.sql);
  folder = newFolder();
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

const run = (line: string) => runCommand(line, { cwd: folder, env: { DATABASE_URL: database.url } });

test('each command in the guide to the audit log runs, and prints the expected words', async () => {
  const checkpoint = await run('audit checkpoint');
  const [key = '', ...note] = checkpoint.stdout.split('\n');
  writeFileSync(join(folder, 'checkpoints'), `${note.join('\n')}\n`);
  const [event] = await database.sql<{ id: string }[]>`select id from latchkey.audit_events limit 1`;
  const values: Record<string, string> = { id: `${event?.id}`, key, text: 'restored' };
  const said: Record<string, string> = {
    'audit verify': 'No problem found',
    'audit checkpoint': key,
    'audit proof': '',
    'audit check-proof': 'Valid. The audit log contains this event',
    'audit new-log': '',
    doctor: 'audit log',
  };
  expect(commands).toHaveLength(8);
  for (const command of commands) {
    const line = command.replace(/<(\w+)>/g, (_, name) => values[name] ?? '');
    // Without a terminal, the command cannot ask.
    const { exitCode, stdout, stderr } = await run(line.startsWith('audit new-log') ? `${line} --yes` : line);
    // The doctor also warns about the configuration of this test.
    if (command !== 'doctor')
      expect({ command, exitCode, stderr }).toEqual({ command, exitCode: 0, stderr: expect.any(String) });
    const name = Object.keys(said).find((each) => command.startsWith(each)) ?? '';
    expect(`${stdout}${stderr}`.toLowerCase()).toContain(said[name]?.toLowerCase());
  }
  expect(readFileSync(join(folder, 'login.tlog-proof'), 'utf8')).toMatch(/^c2sp\.org\/tlog-proof@v1\n/);
});
