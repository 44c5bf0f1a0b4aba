import { createHash, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AttestationAuthority,
  createAttestationAuthority,
  type SoftwareAuthenticatorOptions,
} from 'latchkey/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAuthenticator, signUpStart } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { androidName, base64, type Issuing, signEntries } from './support/signed-metadata.ts';

const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const authority = createAttestationAuthority();
const attacker = createAttestationAuthority() as Issuing;

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-metadata-'));
  const authenticatorMetadata = join(folder, 'metadata.jwt');
  await writeFile(
    authenticatorMetadata,
    authority.signMetadata([{ aaguid: model, statuses: ['FIDO_CERTIFIED_L2'] }]),
  );
  service = await startTestService({
    attestation: 'direct',
    authenticatorMetadata,
    authenticatorMetadataRoots: authority.certificate,
    authenticators: { certified: 'L2' },
  });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const authenticatorOf = (options: Partial<SoftwareAuthenticatorOptions>) =>
  newAuthenticator({ aaguid: model, attestationAuthority: authority, ...options });

/** The certificates of a genuine authenticator. They are public, because each attestation contains them. */
async function genuineCertificates(): Promise<Uint8Array[]> {
  let found: Uint8Array[] = [];
  await authenticatorOf({ attestation: 'packed' }).create(await signUpStart(service.browser()), {
    attStmt: (statement) => {
      found = statement.get('x5c') as Uint8Array[];
      return statement;
    },
  });
  return found;
}

const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const forged = attacker.issue(androidName, key, []).map(base64);

/** Signs up with a SafetyNet response that the attacker signs. */
async function signUpWith(header: string) {
  const browser = service.browser();
  const credential = await authenticatorOf({
    attestation: 'android-safetynet',
    attestationAuthority: attacker,
  }).create(await signUpStart(browser), {
    attStmt: (_, signedData) => {
      const nonce = createHash('sha256').update(signedData).digest('base64');
      const payload = JSON.stringify({ nonce, timestampMs: Date.now(), ctsProfileMatch: true });
      const text = `${header}.${Buffer.from(payload).toString('base64url')}`;
      const signature = sign('sha256', Buffer.from(text), key).toString('base64url');
      return new Map<string | number, never>([
        ['ver', '1' as never],
        ['response', new Uint8Array(Buffer.from(`${text}.${signature}`)) as never],
      ]);
    },
  });
  return browser.post('/auth/passkey/register/verify', { credential });
}

test('a header of SafetyNet that two decoders read differently proves nothing', async () => {
  const certificates = JSON.stringify((await genuineCertificates()).map(base64));
  const start = `{"alg":"RS256","x5c":${JSON.stringify(forged)},`;
  const padded = `${start}${' '.repeat((3 - ((start.length + 1) % 3)) % 3)}"`;
  const header = Buffer.from(`${padded}x5c":${certificates}}`).toString('base64url');
  // Node.js ignores the high byte of a character. Other decoders read the character as zeros, so the name is "x0#".
  const at = (padded.length / 3) * 4 + 2;
  const ambiguous = `${header.slice(0, at)}${String.fromCharCode(header.charCodeAt(at) + 256)}${header.slice(at + 1)}`;
  expectProblem(await signUpWith(ambiguous), 'registration_failed');
});

test('a forged SafetyNet certificate that also contains a genuine one as PEM proves nothing', async () => {
  const genuine = (await genuineCertificates()).map((der) => new X509Certificate(der).toString());
  // Node.js reads the PEM. Other parsers read the DER before it.
  const x5c = forged.map((der, n) =>
    base64(Buffer.concat([Buffer.from(der, 'base64'), Buffer.from(`\n${genuine[n]}`)])),
  );
  const header = Buffer.from(JSON.stringify({ alg: 'RS256', x5c })).toString('base64url');
  expectProblem(await signUpWith(header), 'registration_failed');
});

test('certificates of SafetyNet that are not canonical base64 are malformed', async () => {
  const [leaf = '', ...rest] = forged;
  for (const x5c of [[`${leaf}\n`, ...rest], [`!${leaf}`, ...rest], [[leaf], ...rest], 'text']) {
    const header = Buffer.from(JSON.stringify({ alg: 'RS256', x5c })).toString('base64url');
    expectProblem(await signUpWith(header), 'registration_failed');
  }
});

async function startWithBlob(by: AttestationAuthority, entries: readonly object[]): Promise<TestService> {
  const authenticatorMetadata = join(folder, 'other.jwt');
  await writeFile(authenticatorMetadata, signEntries(by, entries));
  return startTestService({
    attestation: 'direct',
    authenticatorMetadata,
    authenticatorMetadataRoots: by.certificate,
  });
}

test('metadata is not trusted if the issuer of its signer’s certificate is not an authority', async () => {
  for (const [issuerIsAuthority, fault] of [
    [true, null],
    [false, expect.stringContaining('no authority')],
  ] as const) {
    const started = await startWithBlob(createAttestationAuthority({ issuerIsAuthority }), []);
    await signUpStart(started.browser());
    await expect
      .poll(() => started.auth.statistics().authenticatorMetadata)
      .toMatchObject({ fault, number: fault === null ? 1 : null });
    await started.close();
  }
});

test('a U2F authenticator of a model with a known security problem is refused', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  const identifier = createHash('sha1').update(point).digest('hex');
  const aaguid = '00000000-0000-0000-0000-000000000000';
  const answers = [];
  for (const statuses of [['FIDO_CERTIFIED_L1'], ['FIDO_CERTIFIED_L1', 'ATTESTATION_KEY_COMPROMISE']]) {
    const root = authority.certificate.replace(/-----.*?-----|\s/g, '');
    const started = await startWithBlob(authority, [
      {
        attestationCertificateKeyIdentifiers: [identifier],
        statusReports: statuses.map((status) => ({ status })),
        metadataStatement: { description: 'U2F key', attestationRootCertificates: [root] },
      },
    ]);
    const browser = started.browser();
    const credential = await authenticatorOf({ attestation: 'fido-u2f', aaguid }).create(
      await signUpStart(browser),
      {
        attStmt: (statement, signedData) => {
          const data = Buffer.from(signedData);
          const [authData, clientDataHash] = [data.subarray(0, -32), data.subarray(-32)];
          const id = authData.subarray(55, 55 + authData.readUInt16BE(53));
          const [x, y] = [authData.subarray(-67, -35), authData.subarray(-32)];
          const signed = Buffer.concat([
            Buffer.of(0),
            data.subarray(0, 32),
            clientDataHash,
            id,
            Buffer.of(4),
            x,
            y,
          ]);
          return new Map(statement)
            .set('sig', new Uint8Array(sign('sha256', signed, privateKey)))
            .set('x5c', (authority as Issuing).issue(androidName, privateKey, []) as never);
        },
      },
    );
    answers.push(await browser.post('/auth/passkey/register/verify', { credential }));
    await started.close();
  }
  const [allowed, refused] = answers;
  expect([allowed?.status, allowed?.body.passkey?.attested]).toEqual([201, true]);
  expect([refused?.status, refused?.body.reason]).toEqual([403, 'model_compromised']);
});
