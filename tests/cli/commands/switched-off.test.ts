import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { catalogue } from '../../../cli/catalogue.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { commandsOn, fourAtOnce, runCommand, startCommand, temporaryFolders } from './support/command.ts';
import { eventsOf, operator } from './support/superadmin.ts';

const newFolder = temporaryFolders();

let database: TestDatabase;
const latchkey = commandsOn(() => database);
beforeAll(async () => {
  database = await createTestDatabase();
  await latchkey('users create ada');
});
afterAll(() => database.drop());

const namesOf = (begin: string) => catalogue.map(({ name }) => name).filter((name) => name.startsWith(begin));
const all = catalogue.map(({ name }) => name);
const listed = (help: string) => all.filter((name) => new RegExp(`^  ${name}  `, 'm').test(help));
const without = (...names: string[]) => all.filter((name) => !names.includes(name));

const organizations = namesOf('organizations ');
const invitations = namesOf('invitations ');
const impersonate = 'users impersonate';

/** A project with a configuration file with this default export. */
function projectWith(options: string): string {
  const cwd = newFolder();
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(fileURLToPath(new URL('../../../', import.meta.url)), join(cwd, 'node_modules/latchkey'));
  writeFileSync(join(cwd, 'latchkey.config.mjs'), `export default ${options};`);
  return cwd;
}

describe('`latchkey --help`', () => {
  test.each([
    ['without settings: all commands except impersonation', {}, without(impersonate)],
    ['with IMPERSONATION=on: all commands', { IMPERSONATION: 'on' }, all],
    [
      'with ORGANIZATIONS=off: no organizations',
      { ORGANIZATIONS: 'off' },
      without(impersonate, ...organizations),
    ],
    [
      'with ADMIN_INVITATIONS=off: invitations, because users can be invited',
      { ADMIN_INVITATIONS: 'off' },
      without(impersonate),
    ],
    [
      'with SIGN_UP=closed: invitations, because admins can be invited',
      { SIGN_UP: 'closed' },
      without(impersonate),
    ],
    [
      'with ADMIN_INVITATIONS=off and SIGN_UP=closed: no invitations',
      { ADMIN_INVITATIONS: 'off', SIGN_UP: 'closed' },
      without(impersonate, ...invitations),
    ],
  ])('lists only commands that are not switched off %s', async (_, env, expected) => {
    const { exitCode, stdout, stderr } = await runCommand('--help', { env });
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(listed(stdout)).toEqual(expected);
  });

  test('and the usage after an error follow a configuration file and a file with variables', async () => {
    const cwd = projectWith(
      '{ organizations: false, impersonation: true, adminInvitations: false, signUp: { mode: "closed" } }',
    );
    const expected = without(...organizations, ...invitations);
    expect(listed((await runCommand('--help', { cwd })).stdout)).toEqual(expected);
    const wrong = await runCommand('frobnicate', { cwd });
    expect([wrong.exitCode, listed(wrong.stderr)]).toEqual([2, expected]);
    const incomplete = await runCommand('users', { cwd });
    expect([incomplete.exitCode, listed(incomplete.stderr)]).toEqual([2, namesOf('users ')]);

    writeFileSync(join(cwd, 'variables'), 'ORGANIZATIONS=off\n');
    writeFileSync(join(cwd, 'empty.mjs'), 'export default {};');
    const { stdout } = await runCommand('--help --config empty.mjs --dotenv variables', { cwd });
    expect(listed(stdout)).toEqual(without(impersonate, ...organizations));
  });

  test('of a group names the setting that switches all commands of the group off', async () => {
    const help = (line: string, env: Record<string, string>) => runCommand(`${line} --help`, { env });
    const off = await help('organizations', { ORGANIZATIONS: 'off' });
    expect([off.exitCode, off.stderr, listed(off.stdout)]).toEqual([0, '', []]);
    expect(off.stdout).toContain(
      'Organizations are switched off (ORGANIZATIONS=off). To switch them on, set ORGANIZATIONS=on.',
    );
    const users = await help('users', {});
    expect(listed(users.stdout)).toEqual(namesOf('users ').filter((name) => name !== impersonate));
    const command = await help('organizations list', { ORGANIZATIONS: 'off' });
    expect([command.exitCode, command.stderr]).toEqual([0, '']);
    expect(command.stdout).toContain('Organizations are switched off (ORGANIZATIONS=off).');
    expect((await help('organizations list', {})).stdout).not.toContain('switched off');
  });

  test('lists all commands if the settings cannot be read, and says why', async () => {
    const invalid = await runCommand('--help', { env: { ORGANIZATIONS: 'maybe' } });
    expect([invalid.exitCode, invalid.stderr, listed(invalid.stdout)]).toEqual([0, '', all]);
    expect(invalid.stdout).toContain('ORGANIZATIONS: given "maybe"; expected on or off');
    const thrown = await runCommand('--help', { cwd: projectWith('missing') });
    expect([thrown.exitCode, thrown.stderr, listed(thrown.stdout)]).toEqual([0, '', all]);
    expect(thrown.stdout).toContain('latchkey.config.mjs cannot be loaded');
    const absent = await runCommand('--help --config absent.mjs');
    expect(absent.stdout).toContain('The file absent.mjs does not exist.');
  });

  test('works if other settings are missing or invalid, and creates no development secret', async () => {
    const cwd = newFolder();
    const env = { JWT_SECRET: undefined, NODE_ENV: 'production', BCRYPT_COST: 'x', ORGANIZATIONS: 'off' };
    const { stdout } = await runCommand('--help', { env, cwd });
    expect(listed(stdout)).toEqual(without(impersonate, ...organizations));
    await runCommand('--help', { env: { JWT_SECRET: undefined }, cwd });
    expect((await runCommand('users --help', { env: { JWT_SECRET: undefined }, cwd })).exitCode).toBe(0);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('closes the database client of the configuration file', async () => {
    const cwd = projectWith(
      `{ organizations: false, database: { query() {}, timer: setInterval(() => {}, 1000), close() { clearInterval(this.timer); } } }`,
    );
    const { exitCode, stdout } = await startCommand(['--help'], { cwd }).ended;
    expect([exitCode, listed(stdout)]).toEqual([0, without(impersonate, ...organizations)]);
  });
});

describe('a command of a feature that is switched off', () => {
  const argumentsOf: Record<string, string> = {
    'organizations create': 'Engines',
    'organizations get': 'engines',
    'organizations update': 'engines --name Engines',
    'organizations delete': 'engines',
    'organizations members': 'engines',
    'organizations invite': 'engines',
    'organizations list-invitations': 'engines',
    'organizations revoke-invitation': 'engines 1',
    'organizations add-member': 'engines ada',
    'organizations change-role': 'engines ada admin',
    'organizations remove-member': 'engines ada',
    'invitations revoke': '1',
    'users impersonate': 'ada --reason Ticket',
    'webhooks create': 'siem https://siem.example.com',
    'webhooks update': 'siem --events all',
    'webhooks rotate-secret': 'siem',
    'webhooks pause': 'siem',
    'webhooks resume': 'siem',
    'webhooks test': 'siem',
    'webhooks delete': 'siem',
  };
  const importFile = () => {
    const file = join(newFolder(), 'organizations.ndjson');
    writeFileSync(file, '{ "slug": "engines", "name": "Engines", "members": [] }\n');
    return file;
  };
  const line = (name: string) =>
    name === 'organizations import' ? `${name} ${importFile()}` : `${name} ${argumentsOf[name] ?? ''}`.trim();

  test.each([
    [
      'every organizations command with ORGANIZATIONS=off, without a question',
      organizations,
      { ORGANIZATIONS: 'off' },
      'Organizations are switched off (ORGANIZATIONS=off).',
      'To switch them on, set ORGANIZATIONS=on.',
    ],
    [
      'users impersonate without settings',
      [impersonate],
      {},
      'Impersonation is switched off (IMPERSONATION is not set).',
      'To switch it on, set IMPERSONATION=on.',
    ],
    [
      'users impersonate with IMPERSONATION=off',
      [impersonate],
      { IMPERSONATION: 'off' },
      'Impersonation is switched off (IMPERSONATION=off).',
      'To switch it on, set IMPERSONATION=on.',
    ],
    [
      'every webhooks command with WEBHOOKS=off, without a question',
      namesOf('webhooks '),
      { WEBHOOKS: 'off' },
      'Webhooks are switched off (WEBHOOKS=off).',
      'To switch them on, set WEBHOOKS=on.',
    ],
    [
      '`invitations list` and `invitations revoke` with ADMIN_INVITATIONS=off and SIGN_UP=closed',
      ['invitations list', 'invitations revoke'],
      { ADMIN_INVITATIONS: 'off', SIGN_UP: 'closed' },
      'Admin invitations are switched off (ADMIN_INVITATIONS=off). Sign-up and user invitations are switched off (SIGN_UP=closed).',
      'To switch them on, set ADMIN_INVITATIONS=on. To switch them on, set SIGN_UP=invitation.',
    ],
  ])('exits with 3 and names the setting: %s', async (_, names, env, message, next) => {
    expect(names.length).toBeGreaterThan(0);
    const ended = await fourAtOnce(names, (name) => latchkey(line(name), env));
    for (const { exitCode, stdout, stderr } of ended)
      expect([exitCode, stdout, stderr]).toEqual([3, '', `error: ${message}\n${next}\n`]);
    const asJson = await latchkey(`${line(names[0] ?? '')} --json`, env);
    expect(JSON.parse(asJson.stderr)).toEqual({ error: { code: 'feature_disabled', message, next } });
  });

  test.each([
    [
      'organizations list',
      '{ organizations: false }',
      'Organizations are switched off (organizations: false in the configuration file).',
      'To switch them on, remove `organizations: false` from the configuration file.',
    ],
    [
      'users impersonate ada --reason Ticket',
      '{ impersonation: false }',
      'Impersonation is switched off (impersonation: false in the configuration file).',
      'To switch it on, set `impersonation: true` in the configuration file.',
    ],
    [
      'invitations create',
      '{ adminInvitations: false }',
      'Admin invitations are switched off (adminInvitations: false in the configuration file).',
      'To switch them on, remove `adminInvitations: false` from the configuration file.',
    ],
    [
      'invitations create --role user',
      "{ signUp: { mode: 'closed' } }",
      "Sign-up and user invitations are switched off (signUp: { mode: 'closed' } in the configuration file).",
      "To switch them on, remove `signUp: { mode: 'closed' }` from the configuration file.",
    ],
  ])('exits with 3, regardless of variables: %s with %s', async (words, options, message, next) => {
    const env = { ORGANIZATIONS: 'on', IMPERSONATION: 'on', ADMIN_INVITATIONS: 'on', SIGN_UP: 'open' };
    const cwd = projectWith(options);
    const ended = await runCommand(words, { cwd, env: { DATABASE_URL: database.url, ...env } });
    expect([ended.exitCode, ended.stdout]).toEqual([3, '']);
    expect(ended.stderr).toContain(`error: ${message}\n${next}\n`);
  });

  test('is recorded in the audit log if it would change something', async () => {
    await latchkey('organizations create Engines', { ORGANIZATIONS: 'off' });
    await latchkey('users impersonate ada --reason Ticket', {});
    await latchkey('invitations create', { ADMIN_INVITATIONS: 'off' });
    const recorded = async (event: string) => (await eventsOf(database, event)).at(-1);
    for (const event of ['organization.create', 'impersonation.create_link', 'invitation.create'])
      expect(await recorded(event)).toMatchObject({ outcome: 'failure', actor_name: operator });
  });
});

test('commands of other features work while a feature is switched off, and an error names an invalid value', async () => {
  for (const words of ['organizations list', 'invitations create --role user', 'users list'])
    expect((await latchkey(words, { ADMIN_INVITATIONS: 'off' })).exitCode).toBe(0);
  const question = await latchkey('organizations delete engines');
  expect([question.exitCode, question.stderr]).toEqual([2, expect.stringContaining('Add --yes')]);
  const invalid = await latchkey('organizations delete engines --yes', { ORGANIZATIONS: 'no' });
  expect(invalid.exitCode).toBe(2);
  expect(invalid.stderr).toContain('ORGANIZATIONS: given "no"; expected on or off');
});

test('`latchkey invitations create --help` offers only the roles that invitations can have', async () => {
  const role = async (env: Record<string, string>) =>
    /^ {2}--role <role> +(.+)$/m.exec((await runCommand('invitations create --help', { env })).stdout)?.[1];
  expect(await role({})).toBe('user: to sign up; admin: to become an admin (default admin): user, admin');
  expect(await role({ ADMIN_INVITATIONS: 'off' })).toBe('user: to sign up (required): user');
  expect(await role({ SIGN_UP: 'closed' })).toBe('admin: to become an admin (default): admin');
});

test('`latchkey users get` shows memberships only if the service has organizations', async () => {
  expect((await latchkey('users get ada')).stdout).toMatch(/^Organizations +none$/m);
  const { exitCode, stdout } = await latchkey('users get ada', { ORGANIZATIONS: 'off' });
  expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('Organizations')]);
});
