import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import bcrypt from 'bcrypt';
import Koa from 'koa';
import { createWellKnownRouter } from 'latchkey';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPassword, password, storedHash } from '../features/support/passwords.ts';
import { generateCodes } from '../features/support/recovery.ts';
import { type Person, signUp, userIdOf } from '../support/person.ts';
import { sequence } from '../support/sequencing.ts';
import { serve } from '../support/serve.ts';
import { secret, startTestService, type TestService } from '../support/test-service.ts';
import { readGuide } from './support/guide.ts';
import { importBlocks } from './support/run-blocks.ts';

const path = 'docs/security/cryptography.md';
const text = readFileSync(path, 'utf8');
const guide = readGuide(path);
const [, table = ''] = /^## Keys derived from `JWT_SECRET`$(.*?)^`JWT_SECRET=/ms.exec(text) ?? [];
const rows = [...table.matchAll(/^\| `(\w+)` \| .*? \| (\S+) \| .* \| `(src\/\S+)` \|$/gm)].map(
  ([, purpose = '', algorithm = '', source = '']) => ({ purpose, algorithm, source }),
);

/** The functions of the code block. */
interface Keys {
  keyFor(secret: string, purpose: string): Buffer;
  open(secret: string, purpose: string, sealed: string): unknown;
  digest(secret: string, purpose: string, text: string): string;
  publicKeyFor(secret: string, purpose: string): string;
}

const otherLog = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';

let keys: Keys;
let service: TestService;
let ada: Person;
beforeAll(async () => {
  keys = (await importBlocks({ 'latchkey-keys.js': guide.block('latchkey-keys.js') })) as unknown as Keys;
  service = await startTestService({
    bcryptCost: 4,
    rateLimit: true,
    tokenAudiences: ['orders'],
    webhooks: {},
    auditWitnessFor: otherLog,
  });
  ada = await signUp(service);
});
afterAll(() => service.close());

const rawKeyIn = (verifierKey = ''): string =>
  Buffer.from(verifierKey.split('+').slice(2).join('+'), 'base64').subarray(1).toString('base64url');

/** For each purpose, values of the service and the same values as the page computes them. */
const checks: Record<string, () => Promise<void>> = {
  ceremony: async () => {
    const { options } = (await service.browser().post('/auth/passkey/login/start', {})).body;
    expect(keys.open(secret, 'ceremony', options.challenge)).toMatchObject({ ceremony: { kind: 'login' } });
    expect(() => keys.open(secret, 'device', options.challenge)).toThrow();
  },
  device: async () => {
    const cookie = ada.browser.cookies.get('latchkey-device') ?? '';
    expect(keys.open(secret, 'device', cookie)).toMatchObject([[userIdOf(ada), expect.any(String), 0]]);
  },
  webhook: async () => {
    const created = await service.auth
      .asOperator('ops')
      .webhooks.create({ name: 'siem', url: 'https://siem.example.com/' });
    const [row] = await service.database.sql<{ secret: string }[]>`select secret from latchkey.webhooks`;
    expect(keys.open(secret, 'webhook', row?.secret ?? '')).toMatchObject({ secret: created.secret });
  },
  recovery_code: async () => {
    const [code = ''] = await generateCodes(ada.browser);
    const stored = await service.database.sql<{ code_hash: string }[]>`
      select code_hash from latchkey.recovery_codes where user_id = ${userIdOf(ada)}`;
    expect(stored.map(({ code_hash }) => code_hash)).toContain(
      keys.digest(secret, 'recovery_code', code.replaceAll('-', '')),
    );
  },
  password: async () => {
    await addPassword(ada.browser);
    const [, hash = ''] = /^\$latchkey1\$[\w-]{8}(\$2b\$.+)$/.exec(`${await storedHash(service, ada)}`) ?? [];
    expect(await bcrypt.compare(keys.digest(secret, 'password', password.normalize('NFKC')), hash)).toBe(
      true,
    );
  },
  service_token: async () => {
    const app = new Koa();
    app.use(createWellKnownRouter(service.auth).routes());
    const served = await serve(app);
    const response = await fetch(`${served.url}/.well-known/jwks.json`);
    const jwks = (await response.json()) as { keys: unknown };
    await served.close();
    expect(jwks.keys).toMatchObject([{ x: keys.publicKeyFor(secret, 'service_token') }]);
  },
  audit_log: async () => {
    await sequence(service.database.sql);
    const { keys: published } = await service.auth.asOperator('ops').audit.checkpoint();
    expect(published.map(rawKeyIn)).toEqual([keys.publicKeyFor(secret, 'audit_log')]);
  },
  audit_witness: async () => {
    const { witnessKeys } = await service.auth.asOperator('ops').audit.checkpoint();
    expect(witnessKeys.map(rawKeyIn)).toEqual([keys.publicKeyFor(secret, 'audit_witness')]);
  },
};

describe('docs/security/cryptography.md', () => {
  test('lists each purpose of a derived key', () => {
    const [, union = ''] =
      /export type KeyPurpose =([^;]+);/.exec(readFileSync('src/core/derive-key.ts', 'utf8')) ?? [];
    const purposes = [...union.matchAll(/'(\w+)'/g)].map(([, purpose]) => purpose);
    expect(rows.map(({ purpose }) => purpose).sort()).toEqual(purposes);
  });

  test.each(rows)('computes the value for the purpose $purpose as the service does', async ({ purpose }) => {
    await checks[purpose]?.();
    expect.hasAssertions();
  });

  test('names every source file that uses cryptography', () => {
    const uses = /from '(?:node:crypto|bcrypt|jose|@noble\/[^']+)'|import\('(?:node:crypto|bcrypt|jose)'\)/;
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
      .map((file) => `src/${file.replaceAll('\\', '/')}`)
      .filter((file) => file.endsWith('.ts') && !/^src\/(embedded|testing)\//.test(file));
    const using = files.filter((file) => uses.test(readFileSync(file, 'utf8')));
    expect(using.length).toBeGreaterThan(20);
    expect(using.filter((file) => !text.includes(`\`${file}\``))).toEqual([]);
  });

  test('names only source files that exist, with the number of random bits that they use', () => {
    for (const [, file = ''] of text.matchAll(/`(src\/[\w./-]+\.ts)`/g)) readFileSync(file);
    const bits = Object.fromEntries(
      [...text.matchAll(/^\| [^|]+ \| (\d+) \| .* \| `(src\/\S+)` \|$/gm)].map(([, count, file = '']) => [
        file,
        Number(count),
      ]),
    );
    const bytesIn = (file: string) =>
      Math.max(
        ...[...readFileSync(file, 'utf8').matchAll(/randomBytes\((\d+)\)/g)].map(([, count]) =>
          Number(count),
        ),
      );
    for (const file of [
      'src/sessions/token.ts',
      'src/users/user-handle.ts',
      'src/http/cookies.ts',
      'src/http/device-cookie.ts',
      'src/core/kept-secret.ts',
    ])
      expect([file, bytesIn(file) * 8]).toEqual([file, bits[file]]);
  });
});

test('the database stores the SHA-256 digest of a session token', async () => {
  const token = ada.browser.cookies.get('latchkey') ?? '';
  expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  const stored = await service.database.sql<{ token_hash: string }[]>`
    select token_hash from latchkey.sessions where user_id = ${userIdOf(ada)}`;
  expect(stored.map(({ token_hash }) => token_hash)).toContain(
    createHash('sha256').update(token).digest('base64url'),
  );
});

test('a pseudonym is computed with the key in the database', async () => {
  const [row] = await service.database.sql<{ secret: string }[]>`
    select secret from latchkey.secrets where name = 'pseudonyms'`;
  const key = row?.secret ?? '';
  const sha256 = (...parts: (string | Buffer)[]) =>
    parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
  const expected = sha256(key, sha256(`${key}username:ada`)).toString('hex');
  const [digest] = await service.database.sql<{ digest: string }[]>`
    select latchkey.username_digest('ada') as digest`;
  expect(digest?.digest).toBe(expected);
});
