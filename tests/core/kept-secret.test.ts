import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConfigurationOptions, readConfiguration } from 'latchkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildChildProgram, type ChildProgram } from '../support/child-program.ts';
import { respectingPermissions } from '../support/unprivileged.ts';

const root = mkdtempSync(join(tmpdir(), 'latchkey-kept-secret-'));
const prefix = respectingPermissions();
let program: ChildProgram;
beforeAll(async () => {
  program = await buildChildProgram('tests/core/support/kept-secret-program.ts');
});
afterAll(() => {
  program.remove();
  rmSync(root, { recursive: true, force: true });
});

let project: string;
let developmentDirectory: string;
beforeEach(() => {
  project = mkdtempSync(join(root, 'project-'));
  developmentDirectory = join(project, 'deep', '.latchkey');
});

const strong = 'kJ9v2Qx7mN4pR8tW1yB5cF0hL3sD6gZaXeUoIuTqVwY';
const read = (options: ConfigurationOptions = {}) =>
  readConfiguration({ env: {}, database: 'postgresql://localhost/shop', developmentDirectory, ...options });
const secretFile = () => join(developmentDirectory, 'jwt-secret');

describe('development without JWT_SECRET', () => {
  test('creates and stores a secret that is strong enough for production', () => {
    const { secrets, warnings } = read();
    expect(secrets).toHaveLength(1);
    expect(warnings).toEqual([]);
    expect(Buffer.from(secrets[0], 'base64url')).toHaveLength(32);
    const inProduction = { secret: secrets, rpId: 'example.com', origins: 'https://example.com' };
    expect(read(inProduction).secrets).toEqual(secrets);
    expect(readFileSync(secretFile(), 'utf8').trim()).toBe(secrets[0]);
  });

  test('reads the same secret on every later start', () => {
    const [first, second, third] = [read(), read(), read()];
    expect(second.secrets).toEqual(first.secrets);
    expect(third.secrets).toEqual(first.secrets);
  });

  test('creates a different secret in each directory', () => {
    expect(read({ developmentDirectory: join(project, 'other') }).secrets).not.toEqual(read().secrets);
  });

  test('creates the secret file with mode 0600 even if the umask is 0, and leaves no temporary file', () => {
    const umask = process.umask(0);
    try {
      read();
    } finally {
      process.umask(umask);
    }
    expect(statSync(secretFile()).mode & 0o777).toBe(0o600);
    expect(readdirSync(developmentDirectory).sort()).toEqual(['.gitignore', 'jwt-secret']);
  });

  test('adds a .gitignore to the directory', () => {
    read();
    expect(readFileSync(join(developmentDirectory, '.gitignore'), 'utf8')).toBe('*\n');
  });

  test('treats an empty JWT_SECRET as missing', () => {
    expect(read({ env: { JWT_SECRET: ' ' } }).secrets).toEqual(read().secrets);
  });

  test('reports the path of an empty secret file', () => {
    read();
    writeFileSync(secretFile(), '\n');
    expect(() => read()).toThrow(`${secretFile()}: given an empty file`);
  });

  test.skipIf(prefix === null)('does not replace an unreadable secret file', async () => {
    developmentDirectory = join(project, '.latchkey');
    const { secrets } = read();
    chmodSync(secretFile(), 0o000);
    const [child] = await program.runAtOnce(1, { cwd: project, prefix: prefix ?? [] });
    expect(child).toMatchObject({ answer: undefined, errors: expect.stringContaining('EACCES') });
    chmodSync(secretFile(), 0o600);
    expect(read().secrets).toEqual(secrets);
  });
});

test('in development, a given secret is used and no file is created', () => {
  expect(read({ env: { JWT_SECRET: strong } }).secrets).toEqual([strong]);
  expect(existsSync(developmentDirectory)).toBe(false);
});

test('production neither creates a secret nor uses the stored one', () => {
  expect(() => read({ env: { NODE_ENV: 'production' } })).toThrow(/JWT_SECRET: given nothing/);
  expect(existsSync(developmentDirectory)).toBe(false);
  read();
  expect(() => read({ env: { NODE_ENV: 'production' } })).toThrow(/JWT_SECRET: given nothing/);
});
