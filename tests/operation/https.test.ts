import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { chmodSync, copyFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createAgent } from '../support/agent.ts';
import { eventually } from '../support/eventually.ts';
import { type ExampleServer, runExampleServer, startExampleServer } from '../support/example-server.ts';
import { newAuthenticator, signUp } from '../support/person.ts';
import { removeFolder } from '../support/remove-folder.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { secret } from '../support/test-service.ts';
import { respectingPermissions } from '../support/unprivileged.ts';
import { type MadeCertificate, makeCertificate } from './support/certificates.ts';
import { fetchOverTls } from './support/fetch-over-tls.ts';
import { findPrograms } from './support/programs.ts';

const hasOpenssl = findPrograms('openssl');
const prefix = respectingPermissions();

let folder: string;
let good: MadeCertificate;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-https-'));
  if (hasOpenssl) good = makeCertificate(folder, 'good', { host: 'localhost' });
});
afterAll(() => removeFolder(folder));

describe.skipIf(!hasOpenssl)('the server does not start', () => {
  const start = async (
    certificate: string,
    key: string,
    env: Record<string, string> = {},
    prefix: readonly string[] = [],
  ) => {
    const database = { DATABASE_URL: 'postgresql://user@127.0.0.1:1/none', JWT_SECRET: secret };
    const files = { TLS_CERTIFICATE: certificate, TLS_KEY: key };
    const { exitCode, stdout, stderr } = await runExampleServer({ ...database, ...files, ...env }, prefix);
    expect([exitCode, stdout]).toEqual([2, '']);
    return stderr;
  };
  const expectedCertificate =
    'expected the path of a PEM file that contains the certificate and, after it, the certificates of its issuers';
  const expectedKey =
    'expected the path of a PEM file with the private key of TLS_CERTIFICATE, without a passphrase';

  test('with only a certificate or only a key', async () => {
    expect(await start(good.certificate, '')).toContain(
      `  TLS_KEY: given nothing; ${expectedKey} (TLS_CERTIFICATE is given)\n`,
    );
    expect(await start('', good.key)).toContain(
      `  TLS_CERTIFICATE: given nothing; ${expectedCertificate} (TLS_KEY is given)\n`,
    );
  });

  test('with a missing file or a folder', async () => {
    const nothing = join(folder, 'nothing.pem');
    expect(await start(nothing, good.key)).toContain(
      `  TLS_CERTIFICATE: given "${nothing}"; ${expectedCertificate} (the file does not exist)\n`,
    );
    expect(await start(good.certificate, folder)).toContain(
      `  TLS_KEY: given "${folder}"; ${expectedKey} (it is a directory)\n`,
    );
  });

  test.skipIf(prefix === null)('with an unreadable key', async () => {
    const locked = join(folder, 'locked.key');
    copyFileSync(good.key, locked);
    chmodSync(locked, 0);
    expect(await start(good.certificate, locked, {}, prefix ?? [])).toContain(
      `(user ${process.getuid?.()} has no permission to read it)`,
    );
  });

  test('with an invalid certificate, with an invalid key or with swapped files', async () => {
    const words = join(folder, 'words.pem');
    writeFileSync(words, 'words');
    expect(await start(words, good.key)).toContain('(it contains no certificate)');
    expect(await start(good.certificate, words)).toContain('(it contains no private key)');
    expect(await start(good.key, good.certificate)).toContain('(it contains no certificate)');
  });

  test('with a key that has a passphrase or belongs to another certificate', async () => {
    const closed = join(folder, 'closed.key');
    for (const write of [
      ['ec', '-aes256'],
      ['pkcs8', '-topk8'],
    ]) {
      const files = ['-in', good.key, '-out', closed, '-passout', 'pass:word'];
      execFileSync('openssl', [...write, ...files], { stdio: 'pipe' });
      expect(await start(good.certificate, closed)).toContain('(it has a passphrase)');
    }
    const other = makeCertificate(folder, 'other');
    expect(await start(good.certificate, other.key)).toContain(
      `(it does not belong to the first certificate in ${good.certificate})`,
    );
  });

  test('with an http origin', async () => {
    const env = { WEBAUTHN_RP_ORIGIN: 'http://localhost:3000' };
    expect(await start(good.certificate, good.key, env)).toContain(
      '  WEBAUTHN_RP_ORIGIN: given "http://localhost:3000"; expected an https origin, such as https://localhost:3000',
    );
  });

  test('and reports TLS errors together with other configuration errors', async () => {
    const message = await start(good.certificate, '', { NODE_ENV: 'production', SESSION_TTL: 'long' });
    for (const variable of ['TLS_KEY', 'SESSION_TTL', 'WEBAUTHN_RP_ID'])
      expect(message).toContain(`  ${variable}: `);
  });
});

describe.skipIf(!hasOpenssl)('with a certificate, the server', () => {
  let database: TestDatabase;
  let server: ExampleServer;
  const certificate = () => join(folder, 'live.pem');
  const key = () => join(folder, 'live.key');
  /** Replaces the symbolic links to both files atomically, as certbot does. */
  const renew = (files: Pick<MadeCertificate, 'certificate' | 'key'>) => {
    for (const [to, name] of [
      [files.certificate, certificate()],
      [files.key, key()],
    ] as const) {
      symlinkSync(to, `${name}.next`);
      renameSync(`${name}.next`, name);
    }
  };
  const reload = async (expected: string) => {
    const before = server.output().length;
    server.process.kill('SIGHUP');
    await eventually(() => server.output().slice(before).includes(expected));
  };
  const port = () => Number(new URL(server.origin).port);
  const handshake = (options: object = {}): Promise<TLSSocket> =>
    new Promise((resolve, reject) => {
      const socket = connect({ port: port(), host: 'localhost', rejectUnauthorized: false, ...options }, () =>
        resolve(socket),
      );
      socket.once('error', reject);
    });
  const shownFingerprint = async () => {
    const socket = await handshake();
    const { fingerprint256 } = socket.getPeerCertificate();
    socket.destroy();
    return fingerprint256;
  };

  // One server for all tests, because starting a server costs more than a test. The last test stops it.
  beforeAll(async () => {
    renew(good);
    database = await createTestDatabase();
    server = await startExampleServer(database.url, { TLS_CERTIFICATE: certificate(), TLS_KEY: key() });
  });
  beforeEach(async () => {
    renew(good);
    if ((await shownFingerprint()) === new X509Certificate(good.pem).fingerprint256) return;
    await reload('loaded the renewed certificate');
  });
  afterAll(async () => {
    server.process.kill('SIGKILL');
    await server.exit;
    await database.drop();
  });

  test('serves https, and a user can sign up with a passkey', async () => {
    const { origin } = server;
    const send = fetchOverTls({ host: 'localhost', port: port(), ca: good.pem });
    const person = await signUp(
      { url: origin, browser: () => createAgent(origin, origin, new Map(), send) },
      { authenticator: newAuthenticator({ origin }) },
    );
    expect(person.browser.cookies.has('__Host-latchkey')).toBe(true);
    const answer = await person.browser.get('/');
    expect(answer.headers.get('Strict-Transport-Security')).toBe('max-age=31536000');
    expect(server.output()).toContain(`Latchkey is running at ${origin}`);
    expect(server.output()).not.toContain('"level":40');
  });

  test('supports only TLS 1.2 and 1.3', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await handshake({ minVersion: version, maxVersion: version });
      expect(socket.getProtocol()).toBe(version);
      socket.destroy();
    }
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    await expect(handshake(old)).rejects.toThrow(/protocol version|alert|unsupported/i);
  });

  test('loads a renewed certificate on SIGHUP and keeps open connections', async () => {
    const open = await handshake();
    const before = await shownFingerprint();
    renew(makeCertificate(folder, 'renewed', { host: 'localhost', days: 60 }));
    await reload('loaded the renewed certificate');
    expect(await shownFingerprint()).not.toBe(before);
    open.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [line] = await new Promise<string[]>((resolve) =>
      open.once('data', (data) => resolve(`${data}`.split('\r\n'))),
    );
    expect(line).toBe('HTTP/1.1 200 OK');
    open.destroy();
  });

  test('keeps the old certificate and logs the reason if the renewed certificate is invalid', async () => {
    const before = await shownFingerprint();
    const { key: otherKey } = makeCertificate(folder, 'other-key', { host: 'localhost' });
    renew({ certificate: good.certificate, key: otherKey });
    await reload('cannot reload the certificate, so the previous one stays in use.');
    expect(server.output()).toContain('TLS_KEY: given');
    expect(await shownFingerprint()).toBe(before);
    renew(good);
    await reload('the certificate is unchanged');
    expect(await shownFingerprint()).toBe(before);
  });

  test('logs a warning about a certificate for another host', async () => {
    renew(makeCertificate(folder, 'elsewhere', { host: 'example.com' }));
    await reload('browsers will reject the certificate in TLS_CERTIFICATE: it is not for localhost');
  });

  test('stops on SIGTERM even if one connection is idle and another has not started its TLS handshake', async () => {
    const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
    const status = await new Promise((resolve, reject) => {
      request({ agent, host: 'localhost', port: port(), path: '/healthz' }, (answer) => {
        answer.resume().once('end', () => resolve(answer.statusCode));
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
    const silent = connectPlain(port(), 'localhost');
    await new Promise((resolve) => silent.once('connect', resolve));
    silent.on('error', () => {});
    server.process.kill('SIGTERM');
    expect(await server.exit).toBe(0);
    agent.destroy();
    silent.destroy();
  });
});
