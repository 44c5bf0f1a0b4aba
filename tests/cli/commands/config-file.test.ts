import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Check } from '../../../cli/doctor/check.ts';
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts';
import { type Ended, runCommand, startCommand, temporaryFolders } from './support/command.ts';

const repository = fileURLToPath(new URL('../../../', import.meta.url));
const newFolder = temporaryFolders();
let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

type Files = Readonly<Record<string, string>>;

/** A project with these files that has installed the package. */
function projectWith(files: Files): string {
  const folder = newFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(repository, join(folder, 'node_modules/latchkey'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const run = (
  line: string,
  files: Files | string,
  env: Record<string, string | undefined> = {},
): Promise<Ended> => {
  const cwd = typeof files === 'string' ? files : projectWith(files);
  return runCommand(line, { cwd, env: { JWT_SECRET: undefined, ...env } });
};

const label = () => {
  const { username, host, pathname } = new URL(database.url);
  return `${username}@${host}${pathname}`;
};
const withDatabase = (more = '') => `database: ${JSON.stringify(database.url)}, bcryptCost: 4, ${more}`;
const typed = (more = '') =>
  `import { defineConfig } from 'latchkey';
   const name: string = 'Orders';
   export default defineConfig({ rpName: name, ${withDatabase(more)} });`;
const plain = (more = '') => `export default { ${withDatabase(more)} };`;

const inProduction = `rpId: 'example.com', origins: 'https://example.com', secret: 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY'`;

describe('the configuration file', () => {
  test.each([
    ['latchkey.config.ts', typed],
    ['latchkey.config.js', plain],
    ['latchkey.config.mjs', plain],
  ])('%s configures the commands, and they say which database they use', async (name, text) => {
    const ended = await run('users list', { [name]: text(), 'package.json': '{ "type": "module" }' });
    expect([ended.exitCode, ended.stderr]).toEqual([0, `Settings from ${name}. Database: ${label()}\n`]);
  });

  test('in --config is loaded instead of the file in the working directory', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': 'throw new Error()', 'other.mjs': plain() });
    for (const flag of ['--config other.mjs', '--config=other.mjs']) {
      const ended = await run(`users list ${flag}`, folder);
      expect([ended.exitCode, ended.stderr]).toEqual([0, `Settings from other.mjs. Database: ${label()}\n`]);
    }
  });

  test('can read variables of .env, and environment variables override them', async () => {
    const files = {
      '.env': `SHOP_DATABASE=${database.url}\nORIGIN=http://localhost:1`,
      'latchkey.config.mjs':
        'const { SHOP_DATABASE: database, ORIGIN: origins } = process.env;\nexport default { database, origins, bcryptCost: 4 };',
    };
    const { stdout } = await run('doctor', files, { ORIGIN: 'http://localhost:2' });
    expect(stdout).toContain('from .env and latchkey.config.mjs');
    expect(stdout).toContain('localhost, at http://localhost:2');
    expect(stdout).toContain(label());
  });

  test('does not add lines to the JSON that scripts read', async () => {
    const ended = await run('users list --json', { 'latchkey.config.mjs': plain() });
    expect([ended.exitCode, ended.stderr]).toEqual([0, '']);
    expect(JSON.parse(ended.stdout)).toMatchObject({ users: [] });
  });

  test('can pass clients, and the command ends them', async () => {
    const folder = projectWith({
      'latchkey.config.mjs': `
        import postgres from 'postgres';
        const database = postgres(${JSON.stringify(database.url)}, { fetch_types: false });
        export default { database, bcryptCost: 4 };`,
    });
    symlinkSync(join(repository, 'node_modules/postgres'), join(folder, 'node_modules/postgres'));
    const ended = await startCommand(['users', 'list'], { cwd: folder }).ended;
    const expected = 'Settings from latchkey.config.mjs. Database: the client of the configuration file\n';
    expect([ended.exitCode, ended.stderr]).toEqual([0, expected]);
  });

  test('does not make a command migrate the schema', async () => {
    const empty = await createTestDatabase({ empty: true });
    const config = `export default { database: ${JSON.stringify(empty.url)}, migrate: true };`;
    const ended = await run('users list', { 'latchkey.config.mjs': config });
    expect([ended.exitCode, await empty.sql`select from pg_namespace where nspname = 'latchkey'`]).toEqual([
      4,
      [],
    ]);
    const migrated = await run('migrate', { 'latchkey.config.mjs': config });
    expect(migrated.stdout).toMatch(/^Applied migrations: 1, 2/);
    await empty.drop();
  });

  test('is not loaded by commands that need no settings', async () => {
    const folder = projectWith({
      'latchkey.config.mjs': `process.stdout.write('<ran>'); export default {};`,
    });
    for (const line of ['completion bash', 'secret']) {
      const ended = await run(line, folder);
      expect(ended.exitCode).toBe(0);
      expect(ended.stdout).not.toContain('<ran>');
    }
    const refused = await run('secret --config latchkey.config.mjs', folder);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      'error: latchkey secret accepts neither --config nor --dotenv.\n',
    ]);
  });
});

describe('a command exits with 2 and says what to do if', () => {
  test.each<[what: string, line: string, files: Files, message: string]>([
    [
      'the option is misspelled',
      'users list',
      {
        'latchkey.config.mjs': `export default { rpID: 'example.com', database: 'postgresql://127.0.0.1:9/a' };`,
      },
      'error: Invalid configuration:\n  rpID: given an unknown option; expected rpId\n',
    ],
    [
      'it has no default export',
      'users list',
      { 'latchkey.config.mjs': 'export const config = {};' },
      'error: latchkey.config.mjs has no default export.\nExport the options, not the service: export default defineConfig({ … })\n',
    ],
    [
      'it exports the promise of a service',
      'users list',
      { 'latchkey.config.mjs': 'export default Promise.resolve({});' },
      'error: latchkey.config.mjs has a default export that is not an object of options.\nExport the options, not the service: export default defineConfig({ … })\n',
    ],
    [
      'it throws an error',
      'users list',
      { 'latchkey.config.mjs': `throw new TypeError('the moon is down');` },
      'error: latchkey.config.mjs cannot be loaded: TypeError: the moon is down\nCorrect latchkey.config.mjs.\n',
    ],
    [
      'the file in --config does not exist',
      'users list --config no-such.ts',
      {},
      'error: The file no-such.ts does not exist.\nCorrect --config, or remove it.\n',
    ],
    ['--config has no value', 'users list --config', {}, 'error: --config: expected a file.\n'],
    [
      'the file in --dotenv does not exist',
      'users list --dotenv no-such',
      {},
      "error: The file no-such cannot be read: ENOENT: no such file or directory, open 'no-such'.\nCorrect the path or the file.\n",
    ],
  ])('%s', async (_, line, files, message) => {
    const ended = await run(line, files);
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([2, '', message]);
  });

  /** Makes the resolution of a package fail, as if it was not installed. */
  const without = (name: string) => {
    const hook = `export const resolve = (specifier, context, next) => {
      if (specifier !== '${name}') return next(specifier, context);
      throw Object.assign(new Error("Cannot find package '${name}' imported from app.js"), { code: 'ERR_MODULE_NOT_FOUND' });
    }`;
    const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const registration = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))});`;
    return ['--import', asUrl(registration)];
  };

  test.skipIf('typescript' in process.features)(
    'Node.js cannot run TypeScript and jiti is not installed',
    async () => {
      const cwd = projectWith({ 'latchkey.config.ts': typed() });
      const ended = await runCommand('users list', { cwd, node: without('jiti') });
      expect([ended.exitCode, ended.stderr]).toEqual([
        2,
        `error: This version of Node.js (${process.version}) does not run TypeScript, so latchkey.config.ts cannot be loaded.\n` +
          'Run `npm install --save-dev jiti`, or use Node.js 22.18 or later.\n',
      ]);
    },
  );

  test('koa is not installed and `latchkey dev` needs it', async () => {
    const ended = await runCommand('dev', { node: without('koa') });
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      2,
      '',
      'error: The package koa is not installed.\nRun `npm install koa`.\n',
    ]);
  });
});

describe('the file .env', () => {
  const development = () => ({ '.env': `DATABASE_URL=${database.url}\nBCRYPT_COST=4\n` });
  const production = () => ({
    '.env': `DATABASE_URL=${database.url}\nWEBAUTHN_RP_ID=example.com\nWEBAUTHN_RP_ORIGIN=https://example.com\nJWT_SECRET=kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY\nBCRYPT_COST=10\n`,
  });

  test('is read in development, and the command says so', async () => {
    const ended = await run('users list', development(), { BCRYPT_COST: undefined });
    expect([ended.exitCode, ended.stderr]).toEqual([0, `Settings from .env. Database: ${label()}\n`]);
  });

  test('is not read in production, unless --dotenv names it', async () => {
    const folder = projectWith(production());
    const env = { NODE_ENV: 'production', BCRYPT_COST: undefined };
    const ended = await run('users list', folder, env);
    expect([ended.exitCode, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toContain(
      '  DATABASE_URL: given nothing; expected postgresql://user:password@host:port/database, or several hosts: postgresql://user:password@host1:port,host2:port/database. The file .env exists, but the service does not read it. Start the app with node --env-file=.env\n',
    );
    const named = await run('users list --dotenv .env', folder, env);
    expect([named.exitCode, named.stderr]).toEqual([0, `Settings from .env. Database: ${label()}\n`]);
  });

  test('is rejected if it contains settings for production and no flag names it', async () => {
    const ended = await run('users list', production());
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      2,
      '',
      'error: The file .env contains settings for production.\nIn production, commands read a file only if you name it: --dotenv=.env\n',
    ]);
  });
});

test('the file .env is rejected if only the configuration file says that this is production', async () => {
  const config = `export default { database: ${JSON.stringify(database.url)}, ${inProduction} };`;
  const folder = projectWith({ '.env': 'BCRYPT_COST=10\n', 'latchkey.config.mjs': config });
  const env = { BCRYPT_COST: undefined };
  const ended = await run('users list', folder, env);
  expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
    2,
    '',
    'error: The configuration file is for production, and .env was found in the working directory.\n' +
      'In production, commands read such a file only if you name it: --dotenv=.env\n',
  ]);
  expect((await run('users list --dotenv=.env', folder, env)).exitCode).toBe(0);
});

test('the clients of a configuration file are ended if the command then refuses its settings', async () => {
  const config = `
    const waiting = setInterval(() => {}, 1000);
    const end = () => {
      clearInterval(waiting);
      process.stdout.write('ended');
    };
    export default { database: { query() {}, end }, ${inProduction} };`;
  const withDotenv = projectWith({ '.env': 'BCRYPT_COST=10\n', 'latchkey.config.mjs': config });
  const ended = await run('users list', withDotenv, { BCRYPT_COST: undefined });
  expect([ended.exitCode, ended.stdout]).toEqual([2, 'ended']);
  expect(ended.stderr).toContain('The configuration file is for production');

  const writable = projectWith({ 'latchkey.config.mjs': config });
  chmodSync(join(writable, 'latchkey.config.mjs'), 0o666);
  const node = ['--import', 'data:text/javascript,process.getuid = () => 65534'];
  const refused = await runCommand('users list', { cwd: writable, node, env: { JWT_SECRET: undefined } });
  expect([refused.exitCode, refused.stdout]).toEqual([2, 'ended']);
  expect(refused.stderr).toContain('every user can change');
});

describe('a configuration file that another user can write', () => {
  const production = { NODE_ENV: 'production' };
  const dangerous = `process.stdout.write('<ran>'); export default {};`;
  const refusal = (reason: string) =>
    `error: latchkey.config.mjs is not used, because ${reason}.\nCorrect the owner and the mode, or name the file: --config=latchkey.config.mjs\n`;

  test('is not run in production', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': dangerous });
    const file = join(folder, 'latchkey.config.mjs');
    chmodSync(file, 0o666);
    const ended = await run('users list', folder, production);
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      2,
      '',
      refusal(`every user can change ${file}`),
    ]);
    const named = await run('users list --config latchkey.config.mjs', folder, production);
    expect(named.stdout).toContain('<ran>');
  });

  test('is not run in production if every user can write to the directory', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': dangerous });
    chmodSync(folder, 0o777);
    const ended = await run('users list', folder, production);
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      2,
      '',
      refusal(`every user can change ${folder}`),
    ]);
  });

  /** Runs the command as if the files had another group than the user. */
  const inOtherGroup = (cwd: string) => {
    const node = ['--import', `data:text/javascript,process.getgid = () => 65534`];
    return runCommand('users list', { cwd, node, env: { JWT_SECRET: undefined, ...production } });
  };

  test.each([
    ['the file', (folder: string) => join(folder, 'latchkey.config.mjs'), 0o664],
    ['the directory', (folder: string) => folder, 0o775],
  ])('is not run in production if a group can write %s', async (_, placeIn, mode) => {
    const folder = projectWith({ 'latchkey.config.mjs': dangerous });
    const place = placeIn(folder);
    chmodSync(place, mode);
    const ended = await inOtherGroup(folder);
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      2,
      '',
      refusal(`its group can change ${place}`),
    ]);
    // The primary group of the user is normally a private group.
    expect((await run('users list', folder, production)).stdout).toContain('<ran>');
  });

  test.runIf(process.getuid?.() === 0)(
    'is not run as root if the file has the group of other users',
    async () => {
      const folder = projectWith({ 'latchkey.config.mjs': dangerous });
      const file = join(folder, 'latchkey.config.mjs');
      chownSync(file, 0, 65_534);
      chmodSync(file, 0o664);
      const ended = await run('users list', folder);
      expect([ended.stdout, ended.stderr]).toEqual(['', refusal(`its group can change ${file}`)]);
    },
  );

  /** Runs the command as if this was not root. */
  const asUser = (cwd: string) => {
    const node = ['--import', 'data:text/javascript,process.getuid = () => 65534'];
    return runCommand('users list', { cwd, node, env: { JWT_SECRET: undefined } });
  };

  test('is rejected if its own options say that this is production', async () => {
    const folder = projectWith({
      'latchkey.config.mjs': `export default { ${withDatabase(inProduction)} };`,
    });
    const file = join(folder, 'latchkey.config.mjs');
    chmodSync(file, 0o666);
    expect((await asUser(folder)).stderr).toBe(refusal(`every user can change ${file}`));
  });

  test('is used in development by users other than root', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': plain() });
    chmodSync(join(folder, 'latchkey.config.mjs'), 0o666);
    chmodSync(folder, 0o777);
    expect((await asUser(folder)).exitCode).toBe(0);
  });

  test.runIf(process.getuid?.() === 0)('is not run as root, even in development', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': dangerous });
    const file = join(folder, 'latchkey.config.mjs');
    chownSync(file, 65_534, 65_534);
    const ended = await run('users list', folder);
    expect([ended.exitCode, ended.stdout, ended.stderr]).toEqual([
      2,
      '',
      refusal(`${file} belongs to another user`),
    ]);
    const dotenv = projectWith({ '.env': 'DATABASE_URL=postgresql://evil.example/shop' });
    chownSync(join(dotenv, '.env'), 65_534, 65_534);
    expect((await run('users list', dotenv)).stderr).toMatch(
      /^error: \.env is not used, because .+ belongs to another user\.\n/,
    );
  });
});

describe('the help and the usage after a mistyped command, in development and without root,', () => {
  /** Runs the command as if this was not root. */
  const asUser = (line: string, cwd: string) => {
    const node = ['--import', 'data:text/javascript,process.getuid = () => 65534'];
    return runCommand(line, { cwd, node, env: { JWT_SECRET: undefined } });
  };
  const config = `process.stdout.write('<ran>'); export default { organizations: false };`;
  const list = (problem: string) =>
    `The list contains all commands, because the settings cannot be used: ${problem}\n`;
  const unused = (file: string, reason: string, flag: string) =>
    `${file} is not used, because ${reason}. Correct the owner and the mode, or name the file: ${flag}=${file}`;

  test.each([
    ['--help', 0],
    ['-h', 0],
    ['help', 0],
    ['organizations --help', 0],
    ['frobnicate', 2],
    ['users', 2],
    ['', 2],
  ])('do not run a configuration file that every user can change: %j', async (line, expected) => {
    const folder = projectWith({ 'latchkey.config.mjs': config });
    const file = join(folder, 'latchkey.config.mjs');
    chmodSync(file, 0o666);
    const { exitCode, stdout, stderr } = await asUser(line, folder);
    expect(exitCode).toBe(expected);
    expect(stdout).not.toContain('<ran>');
    const problem = unused('latchkey.config.mjs', `every user can change ${file}`, '--config');
    expect(`${stdout}${stderr}`).toContain(list(problem));
  });

  test('do not run a configuration file in a directory that every user can change', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': config });
    chmodSync(folder, 0o777);
    const { exitCode, stdout } = await asUser('organizations list --help', folder);
    const problem = unused('latchkey.config.mjs', `every user can change ${folder}`, '--config');
    expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('<ran>')]);
    expect(stdout).toContain(
      `\nThe settings cannot be used, so the command can be switched off: ${problem}\n`,
    );
  });

  test.runIf(process.getuid?.() === 0)('do not run a configuration file of another user', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': config });
    const file = join(folder, 'latchkey.config.mjs');
    chownSync(file, 1234, 1234);
    const { exitCode, stdout } = await asUser('--help', folder);
    expect([exitCode, stdout]).toEqual([0, expect.not.stringContaining('<ran>')]);
    expect(stdout).toContain(
      list(unused('latchkey.config.mjs', `${file} belongs to another user`, '--config')),
    );
  });

  test('do not read a file .env that every user can change', async () => {
    const folder = projectWith({ '.env': 'ORGANIZATIONS=off\n' });
    const file = join(folder, '.env');
    expect((await asUser('--help', folder)).stdout).not.toContain('organizations list');
    chmodSync(file, 0o666);
    const { exitCode, stdout } = await asUser('--help', folder);
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('organizations list')]);
    expect(stdout).toContain(list(unused('.env', `every user can change ${file}`, '--dotenv')));
  });

  test('use trusted files, and files in --config and --dotenv', async () => {
    const folder = projectWith({ 'latchkey.config.mjs': config });
    expect((await asUser('--help', folder)).stdout).toMatch(/^<ran>(?![\s\S]*organizations list)/);
    chmodSync(join(folder, 'latchkey.config.mjs'), 0o666);
    const { stdout } = await asUser('--help --config latchkey.config.mjs', folder);
    expect(stdout).toMatch(/^<ran>(?![\s\S]*organizations list)/);
    const variables = projectWith({ '.env': 'ORGANIZATIONS=off\n' });
    chmodSync(join(variables, '.env'), 0o666);
    expect((await asUser('--help --dotenv .env', variables)).stdout).not.toContain('organizations list');
  });
});

describe('`latchkey doctor` with a configuration file', () => {
  const examine = async (options: string) => {
    const files = { 'latchkey.config.mjs': `export default { ${options} };` };
    const { stdout } = await run('doctor --json', files);
    const { checks } = JSON.parse(stdout) as { checks: Check[] };
    return (name: string) => checks.find((check) => check.name === name);
  };

  test('reports a weak secret in the options, and does not print it', async () => {
    const check = await examine(withDatabase(`secret: 'hunter2hunter2'`));
    expect(check('secret')).toEqual({
      name: 'secret',
      level: 'warning',
      message: 'secret is too weak: about 84 bits; production rejects it',
      why: 'In production, the service does not start with this secret.',
      fix: 'Create one with `latchkey secret`',
    });
  });

  test('names the options in its checks', async () => {
    const check = await examine(
      `database: 'postgresql://ada@127.0.0.1:9/shop', rateLimit: false, rpId: 'a b'`,
    );
    expect(check('rpId')).toMatchObject({
      level: 'error',
      fix: expect.stringMatching(/^Set rpId to the domain/),
    });
    expect(check('Database')).toMatchObject({
      message: '127.0.0.1:9 refuses connections',
      fix: 'Start PostgreSQL, or correct the host and the port in the option database',
    });
    const invalid = await examine(`database: 'mysql://ada@db/shop'`);
    expect(invalid('Database')).toMatchObject({ message: 'the option database is missing or invalid' });
  });
});
