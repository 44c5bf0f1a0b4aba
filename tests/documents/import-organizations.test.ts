import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand, temporaryFolders } from '../cli/commands/support/command.ts';
import { signUp } from '../support/person.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';

const guide = readGuide('docs/guides/import-organizations.md');
const newFolder = temporaryFolders();
let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startTestService();
  await signUp(service, { username: 'ada' });
  folder = newFolder();
});
afterAll(() => service.close());

const run = (line: string) => runCommand(line, { cwd: folder, env: { DATABASE_URL: service.database.url } });
const linesOf = (code: string): string[] => code.trim().split('\n');
const commandsOf = (text: string) => linesOf(guide.block(text)).map((line) => line.replace('npx latchkey ', ''));
const write = (text: string) => writeFileSync(join(folder, 'organizations.ndjson'), text);

test('the commands in the guide check and import the record of the guide', async () => {
  write(guide.block('"createdAt"'));
  const [check = '', importing = ''] = commandsOf('--dry-run');
  const { organizations } = service.auth.asOperator('ops');
  expect((await run(check)).exitCode).toBe(0);
  await expect(organizations.get('engines')).rejects.toMatchObject({ code: 'not_found' });
  expect(await run(importing)).toMatchObject({ exitCode: 0 });
  expect((await organizations.listMembers('engines')).members).toMatchObject([
    { user: { username: 'ada' }, role: 'admin' },
  ]);
  expect((await run('organizations export')).stdout).toContain('"slug":"engines"');
});

test('with a source, the import refuses a user who was not imported from it, and the report has the form of the guide', async () => {
  const [importing = ''] = commandsOf('--users-source');
  write(guide.block('"sourceId"').replace('"engines"', '"acme"'));
  const { exitCode, stdout } = await run(`${importing} --refused refused.ndjson --json`);
  expect(exitCode).toBe(3);
  const report = JSON.parse(stdout);
  const documented = JSON.parse(guide.block('"dryRun"'));
  expect(Object.keys(report)).toEqual(expect.arrayContaining(Object.keys(documented)));
  expect(report.refused).toEqual({ user_not_imported: 1 });
  const [refused = ''] = linesOf(readFileSync(join(folder, 'refused.ndjson'), 'utf8'));
  expect(Object.keys(JSON.parse(refused)).sort()).toEqual(['line', 'message', 'reason', 'record']);
});
