import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SettingsService } from '@simplewebauthn/server';
import type { AuthServiceOptions } from 'latchkey';
import {
  type CertifiedKind,
  type CreateTampering,
  createAttestationAuthority,
  type SoftwareAuthenticatorOptions,
} from 'latchkey/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { untilPasses } from '../support/eventually.ts';
import { newAuthenticator, signUpStart } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { base64, signEntries } from './support/signed-metadata.ts';

const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const android = 'b93fd961-f2e6-462f-b122-82002247de78';
const authority = createAttestationAuthority();

let folder: string;
/** A service that knows no certificates except those that SimpleWebAuthn contains. */
let plain: TestService;
const started: TestService[] = [];
async function start(options: AuthServiceOptions): Promise<TestService> {
  const service = await startTestService({ attestation: 'direct', ...options });
  started.push(service);
  return service;
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-anchors-'));
  plain = await start({});
});
afterEach(async () => {
  for (const service of started.splice(1)) await service.close();
});
afterAll(async () => {
  await plain.close();
  await rm(folder, { recursive: true });
});

async function signUp(
  on: TestService,
  options: Partial<SoftwareAuthenticatorOptions>,
  tamper: CreateTampering = {},
): Promise<Answer> {
  const browser = on.browser();
  const key = newAuthenticator({ aaguid: model, attestationAuthority: authority, ...options });
  const credential = await key.create(await signUpStart(browser), tamper);
  return browser.post('/auth/passkey/register/verify', { credential });
}
const outcome = ({ status, body }: Answer) => [status, body.reason ?? body.passkey?.attested];

const pemOf = (certificate: Uint8Array) => new X509Certificate(certificate).toString();

/** The options of a service whose metadata contains these certificates for the model. */
async function withRoots(roots: readonly (Uint8Array | string)[]): Promise<AuthServiceOptions> {
  const authenticatorMetadata = join(folder, `${crypto.randomUUID()}.jwt`);
  const metadataStatement = {
    description: 'Key',
    authenticationAlgorithms: ['secp256r1_ecdsa_sha256_raw'],
    attestationTypes: ['basic_full'],
    attestationRootCertificates: roots.map((root) => (typeof root === 'string' ? root : base64(root))),
  };
  await writeFile(
    authenticatorMetadata,
    signEntries(authority, [
      { aaguid: model, statusReports: [{ status: 'FIDO_CERTIFIED' }], metadataStatement },
    ]),
  );
  return { authenticatorMetadata, authenticatorMetadataRoots: authority.certificate };
}

/** Creates a passkey for a service that starts afterwards and gets the certificate of the authenticator. */
async function finishTrustingLeaf(
  {
    attestation,
    aaguid,
    by = authority,
  }: { attestation: CertifiedKind; aaguid: string; by?: typeof authority },
  optionsFor: (leaf: Uint8Array) => AuthServiceOptions | Promise<AuthServiceOptions>,
  change = (x5c: Uint8Array[]) => x5c.slice(0, 1),
): Promise<Answer> {
  const browser = plain.browser();
  const key = newAuthenticator({ aaguid, attestation, attestationAuthority: by });
  let leaf = new Uint8Array();
  const credential = await key.create(await signUpStart(browser), {
    attStmt: (statement) => {
      const x5c = statement.get('x5c') as Uint8Array[];
      leaf = new Uint8Array(x5c[0] ?? leaf);
      return new Map(statement).set('x5c', change(x5c) as never);
    },
  });
  const trusting = await start(await optionsFor(leaf));
  const other = trusting.browser();
  for (const [name, value] of browser.cookies) other.cookies.set(name, value);
  return other.post('/auth/passkey/register/verify', { credential });
}

const zero = '00000000-0000-0000-0000-000000000000';
describe.each<
  [string, CertifiedKind, string, (leaf: Uint8Array) => AuthServiceOptions | Promise<AuthServiceOptions>]
>([
  ['metadata', 'packed', model, (leaf) => withRoots([leaf])],
  ['authenticatorRoots', 'packed', model, (leaf) => ({ authenticatorRoots: pemOf(leaf) })],
  ['authenticatorRoots', 'fido-u2f', zero, (leaf) => ({ authenticatorRoots: pemOf(leaf) })],
])(
  '%s with the certificate of the authenticator instead of an authority, in the format %s',
  (_, attestation, aaguid, optionsFor) => {
    test('proves the model', async () => {
      expect(outcome(await finishTrustingLeaf({ attestation, aaguid }, optionsFor))).toEqual([201, true]);
    });

    test('proves nothing after the certificate has expired, or before it is valid', async () => {
      for (const [validFrom, validTo] of [
        ['2020-01-01', '2021-01-01'],
        ['2120-01-01', '2121-01-01'],
      ]) {
        const by = createAttestationAuthority({
          validFrom: new Date(`${validFrom}`),
          validTo: new Date(`${validTo}`),
        });
        const answer = await finishTrustingLeaf({ attestation, aaguid, by }, optionsFor);
        expect(outcome(answer)).toEqual([403, 'attestation_untrusted']);
      }
    });

    test('proves nothing if further certificates follow', async () => {
      const answer = await finishTrustingLeaf({ attestation, aaguid }, optionsFor, (x5c) => x5c);
      expect(outcome(answer)).toEqual([403, 'attestation_untrusted']);
    });
  },
);

test('certificates in metadata can contain line breaks, and unreadable certificates are ignored', async () => {
  const root = authority.certificate.replace(/-----.*?-----/g, '');
  const service = await start(await withRoots(['AAAA', 'text', `${root}\r\n `]));
  for (const attestation of ['packed', 'android-key'] as const)
    expect(outcome(await signUp(service, { attestation }))).toEqual([201, true]);
  const stranger = { attestation: 'packed', attestationAuthority: createAttestationAuthority() } as const;
  expect(outcome(await signUp(service, stranger))).toEqual([403, 'attestation_untrusted']);
});

test('metadata that contains an authority and its issuer, in either order, proves the model', async () => {
  let issuer = new Uint8Array();
  const attStmt: CreateTampering['attStmt'] = (statement) => {
    issuer = new Uint8Array((statement.get('x5c') as Uint8Array[])[1] ?? issuer);
    return statement;
  };
  await signUp(plain, { attestation: 'packed' }, { attStmt });
  const { raw: root } = new X509Certificate(authority.certificate);
  for (const roots of [
    [root, issuer],
    [issuer, root],
  ]) {
    const service = await start(await withRoots(roots));
    expect(outcome(await signUp(service, { attestation: 'packed' }))).toEqual([201, true]);
  }
});

test('without certificates in the metadata, the model remains a claim', async () => {
  const service = await start(await withRoots([]));
  expect(outcome(await signUp(service, { attestation: 'packed' }))).toEqual([201, false]);
});

test.each<[CertifiedKind, string, unknown[]]>([
  ['android-key', android, [403, 'attestation_untrusted']],
  ['android-safetynet', android, [403, 'attestation_untrusted']],
  ['apple', 'dd4ec289-e01d-41c9-bb89-70fa845d4bf2', [403, 'attestation_untrusted']],
  ['android-key', model, [201, false]],
  ['android-safetynet', model, [201, false]],
  ['apple', android, [201, false]],
  ['packed', android, [201, false]],
])(
  'without configured certificates, an attestation in the format %s of the model %s is checked only against the certificates of its platform',
  async (attestation, aaguid, expected) => {
    expect(outcome(await signUp(plain, { attestation, aaguid }))).toEqual(expected);
  },
);

test('more than eight certificates are refused before their path is searched', async () => {
  const trusting = await start({ authenticatorRoots: authority.certificate });
  for (const [count, code] of [
    [8, 'authenticator_not_allowed'],
    [9, 'registration_failed'],
  ] as const) {
    const answer = await signUp(
      trusting,
      { attestation: 'packed' },
      {
        attStmt: (statement) => {
          const [leaf, issuer] = statement.get('x5c') as Uint8Array[];
          const x5c = [leaf, ...Array.from({ length: count - 1 }, () => issuer)];
          return new Map(statement).set('x5c', x5c as never);
        },
      },
    );
    expectProblem(
      answer,
      code,
      code === 'authenticator_not_allowed'
        ? { reason: 'attestation_untrusted', detail: expect.any(String) }
        : {},
    );
  }
});

test('with the certificates of the FIDO Alliance, metadata must be signed for its server', async () => {
  const before = SettingsService.getRootCertificates({ identifier: 'mds' });
  SettingsService.setRootCertificates({ identifier: 'mds', certificates: [authority.certificate] });
  try {
    const authenticatorMetadata = join(folder, 'other-host.jwt');
    await writeFile(authenticatorMetadata, authority.signMetadata([{ aaguid: model }]));
    const service = await start({ authenticatorMetadata });
    await untilPasses(() =>
      expect(service.auth.statistics().authenticatorMetadata).toMatchObject({
        number: null,
        fault: 'the metadata is not signed with a certificate for mds.fidoalliance.org',
      }),
    );
  } finally {
    SettingsService.setRootCertificates({ identifier: 'mds', certificates: before });
  }
});

test('a U2F attestation whose authenticator data claims a model is refused, because its signature does not cover the model', async () => {
  const trusting = await start({ authenticatorRoots: authority.certificate });
  expect(outcome(await signUp(trusting, { attestation: 'fido-u2f', aaguid: zero }))).toEqual([201, true]);
  expect(outcome(await signUp(trusting, { attestation: 'fido-u2f', aaguid: model }))).toEqual([
    403,
    'attestation_untrusted',
  ]);
});

test('the stored root is the certificate that the attestation leads to', async () => {
  const trusting = await start({
    authenticatorRoots: [createAttestationAuthority().certificate, authority.certificate],
  });
  await signUp(trusting, { attestation: 'packed' });
  const [passkey] = await trusting.database.sql`select attestation_root from latchkey.passkeys`;
  const { fingerprint256 } = new X509Certificate(authority.certificate);
  expect(passkey?.attestation_root).toBe(fingerprint256.replaceAll(':', '').toLowerCase());
});
