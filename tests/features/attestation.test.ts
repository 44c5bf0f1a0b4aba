import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuthServiceOptions, UserRecord } from 'latchkey';
import {
  type AttestationAuthority,
  type CertifiedKind,
  type CreateTampering,
  createAttestationAuthority,
  flipLastBit,
  type SoftwareAuthenticatorOptions,
} from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '../support/agent.ts';
import { logIn, newAuthenticator, signUpStart } from '../support/person.ts';
import { expectProblem } from '../support/problem.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

const model = '2fc0579f-8113-47ea-b116-bb5a8db9202a';
const unlisted = '11111111-2222-4333-8444-555555555555';
const kinds: readonly CertifiedKind[] = [
  'packed',
  'tpm',
  'android-key',
  'android-safetynet',
  'apple',
  'fido-u2f',
];

const authority = createAttestationAuthority();
const stranger = createAttestationAuthority();

let folder: string;
let service: TestService;
const services: TestService[] = [];

async function start(options: AuthServiceOptions): Promise<TestService> {
  const started = await startTestService({ attestation: 'direct', ...options });
  services.push(started);
  return started;
}

/** Writes metadata of the authority to a file. Returns the options that use it. */
async function withMetadata(models: Parameters<AttestationAuthority['signMetadata']>[0]) {
  const file = join(folder, `${services.length}.jwt`);
  await writeFile(file, authority.signMetadata(models));
  return { authenticatorMetadata: file, authenticatorMetadataRoots: authority.certificate };
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-metadata-'));
  service = await start({ authenticatorRoots: authority.certificate });
});
afterAll(async () => {
  for (const each of services) await each.close();
  await rm(folder, { recursive: true });
});

/** Signs up with an authenticator whose attestation has certificates. */
async function signUpBy(
  on: TestService,
  options: Partial<SoftwareAuthenticatorOptions>,
  tamper: CreateTampering = {},
): Promise<Answer> {
  const browser = on.browser();
  const authenticator = newAuthenticator({
    aaguid: options.attestation === 'fido-u2f' ? '00000000-0000-0000-0000-000000000000' : model,
    attestationAuthority: authority,
    ...options,
  });
  const credential = await authenticator.create(await signUpStart(browser), tamper);
  return browser.post('/auth/passkey/register/verify', { credential });
}

const storedOf = async (on: TestService, { body }: Answer) => {
  const [row] = await on.database.sql`
    select attested, attestation_format, attestation_root, certification, attestation_certificates
    from latchkey.passkeys where id = ${body.passkey.id}`;
  return row;
};

function expectRefused(answer: Answer, reason = 'attestation_untrusted'): void {
  expectProblem(answer, 'authenticator_not_allowed', { reason, detail: expect.any(String) });
}

const lastReason = async (on: TestService) => (await on.auditRows()).at(-1)?.details.reason;

describe('a registration with an attestation of a known authority', () => {
  test.each(kinds)('in the format %s proves the model', async (attestation) => {
    const answer = await signUpBy(service, { attestation });
    expect([answer.status, answer.body.code]).toEqual([201, undefined]);
    expect(answer.body.passkey.attested).toBe(true);
    expect(await storedOf(service, answer)).toMatchObject({
      attested: true,
      attestation_format: attestation,
      attestation_root: expect.stringMatching(/^[\da-f]{64}$/),
      certification: null,
      attestation_certificates: null,
    });
  });

  test.each(kinds)('in the format %s is refused if the authority is unknown', async (attestation) => {
    const answer = await signUpBy(service, { attestation, attestationAuthority: stranger });
    expectRefused(answer);
    expect(await lastReason(service)).toBe('attestation_untrusted');
  });

  test.each(kinds)('in the format %s is refused with an expired certificate', async (attestation) => {
    const past = createAttestationAuthority({
      validFrom: new Date('2020-01-01'),
      validTo: new Date('2021-01-01'),
    });
    const trusting = await start({ authenticatorRoots: past.certificate });
    const answer = await signUpBy(trusting, { attestation, attestationAuthority: past });
    expectRefused(answer);
  });

  test.each(['packed', 'tpm', 'android-key', 'fido-u2f'] as const)(
    'in the format %s is refused with a wrong signature',
    async (attestation) => {
      const answer = await signUpBy(service, { attestation }, { afterSigning: { signature: flipLastBit } });
      expectRefused(answer);
    },
  );

  test.each(kinds.filter((kind) => kind !== 'android-safetynet'))(
    'in the format %s is refused if a byte of a certificate has changed',
    async (attestation) => {
      for (const n of [0, 1]) {
        const answer = await signUpBy(
          service,
          { attestation },
          { attStmt: (statement) => changeCertificate(statement, n) },
        );
        expectRefused(answer);
      }
    },
  );

  test.each(['packed', 'tpm'] as const)(
    'in the format %s is refused if the certificate contains another AAGUID',
    async (attestation) => {
      const answer = await signUpBy(service, { attestation }, { certifiedAaguid: unlisted });
      expectRefused(answer);
    },
  );
});

test('a registration without attestation, or with self attestation, is accepted as a claim', async () => {
  for (const attestation of ['none', 'packed-self'] as const) {
    const answer = await signUpBy(service, { attestation });
    expect([answer.status, answer.body.passkey.attested]).toEqual([201, false]);
    expect(await storedOf(service, answer)).toMatchObject({
      attested: false,
      attestation_format: attestation === 'none' ? 'none' : 'packed',
      attestation_root: null,
    });
  }
});

/** Flips a bit of the signature of a certificate in `x5c`. */
function changeCertificate(statement: ReadonlyMap<string | number, unknown>, n: number) {
  const chain = (statement.get('x5c') as Uint8Array[]).map((each, at) =>
    at === n ? flipLastBit(each) : each,
  );
  return new Map<string | number, never>(statement as never).set('x5c', chain as never);
}

test('an unknown root in the certificates of an authenticator is not trusted', async () => {
  const smuggled = new Uint8Array(
    Buffer.from(stranger.certificate.replace(/-----.*?-----|\s/g, ''), 'base64'),
  );
  const answer = await signUpBy(
    service,
    { attestation: 'packed', attestationAuthority: stranger },
    {
      attStmt: (statement) => {
        const chain = statement.get('x5c') as Uint8Array[];
        return new Map(statement).set('x5c', [...chain, smuggled] as never);
      },
    },
  );
  expectRefused(answer);
});

test('the trusted root may be in the certificates of an authenticator', async () => {
  const root = new Uint8Array(Buffer.from(authority.certificate.replace(/-----.*?-----|\s/g, ''), 'base64'));
  const answer = await signUpBy(
    service,
    { attestation: 'packed' },
    {
      attStmt: (statement) => {
        const chain = statement.get('x5c') as Uint8Array[];
        return new Map(statement).set('x5c', [...chain, root] as never);
      },
    },
  );
  expect([answer.status, answer.body.passkey?.attested]).toEqual([201, true]);
});

describe('a revoked certificate', () => {
  let server: Server;
  let list: Uint8Array = new Uint8Array();
  let downloads = 0;
  let revoking: AttestationAuthority;
  beforeAll(async () => {
    server = createServer((_, response) => {
      downloads += 1;
      response.end(list);
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    revoking = createAttestationAuthority({ revocationListUrl: `http://127.0.0.1:${port}/list.crl` });
  });
  afterAll(() => server.close());

  test('is refused', async () => {
    const trusting = await start({ authenticatorRoots: revoking.certificate });
    const browser = trusting.browser();
    const authenticator = newAuthenticator({
      aaguid: model,
      attestation: 'packed',
      attestationAuthority: revoking,
    });
    const credential = await authenticator.create(await signUpStart(browser));
    revoking.revokeAll();
    list = revoking.revocationList();
    expectRefused(await browser.post('/auth/passkey/register/verify', { credential }));
    expect(downloads).toBeGreaterThan(0);
  });

  test('of an unknown authority causes no download', async () => {
    downloads = 0;
    for (const attestation of kinds)
      expectRefused(await signUpBy(service, { attestation, attestationAuthority: revoking }));
    expect(downloads).toBe(0);
  });
});

describe('with metadata', () => {
  test('a model gets its certification, and an attestation of another authority is refused', async () => {
    const listed = await start(await withMetadata([{ aaguid: model, statuses: ['FIDO_CERTIFIED_L2'] }]));
    const answer = await signUpBy(listed, { attestation: 'packed' });
    expect([answer.status, answer.body.passkey?.attested]).toEqual([201, true]);
    expect(await storedOf(listed, answer)).toMatchObject({ certification: 'L2' });
    expectRefused(await signUpBy(listed, { attestation: 'packed', attestationAuthority: stranger }));
    expect(listed.auth.statistics().authenticatorMetadata).toMatchObject({
      models: 1,
      number: 1,
      isStale: false,
      fault: null,
    });
  });

  test('a model that the metadata does not contain remains a claim', async () => {
    const listed = await start(await withMetadata([{ aaguid: model }]));
    const answer = await signUpBy(listed, { attestation: 'packed', aaguid: unlisted });
    expect([answer.status, answer.body.passkey?.attested]).toEqual([201, false]);
  });

  test('a certificate of `authenticatorRoots` does not prove a model of the metadata', async () => {
    const listed = await start({
      ...(await withMetadata([{ aaguid: model }])),
      authenticatorRoots: stranger.certificate,
    });
    const by = { attestation: 'packed', attestationAuthority: stranger } as const;
    expectRefused(await signUpBy(listed, by));
    expect((await signUpBy(listed, { ...by, aaguid: unlisted })).body.passkey.attested).toBe(true);
  });

  test.each(['REVOKED', 'USER_KEY_REMOTE_COMPROMISE'])(
    'a model with the status %s is refused',
    async (status) => {
      const listed = await start(
        await withMetadata([{ aaguid: model, statuses: ['FIDO_CERTIFIED_L1', status] }]),
      );
      for (const attestation of ['packed', 'none'] as const) {
        const answer = await signUpBy(listed, { attestation });
        expectRefused(answer, 'model_compromised');
      }
    },
  );
});

test('two services in one process with different authorities do not disturb each other', async () => {
  const other = await start({ authenticatorRoots: stranger.certificate });
  const attempts = await Promise.all(
    kinds.flatMap((attestation) => [
      signUpBy(service, { attestation }),
      signUpBy(other, { attestation, attestationAuthority: stranger }),
      signUpBy(service, { attestation, attestationAuthority: stranger }),
      signUpBy(other, { attestation }),
    ]),
  );
  expect(attempts.map(({ status }) => status)).toEqual(kinds.flatMap(() => [201, 201, 403, 403]));
});

test('with the preference `enterprise`, the service stores the certificates of the authenticator', async () => {
  const enterprise = await start({ attestation: 'enterprise', authenticatorRoots: authority.certificate });
  const answer = await signUpBy(enterprise, { attestation: 'packed' });
  expect((await storedOf(enterprise, answer))?.attestation_certificates).toHaveLength(2);
});

/** The passkeys in the export of the user who just signed up. */
async function exportedPasskeys(of: TestService, { body }: Answer) {
  const passkeys: Extract<UserRecord, { type: 'passkey' }>[] = [];
  for await (const record of await of.auth.asOperator('privacy desk').users.export({ id: body.user.id }))
    if (record.type === 'passkey') passkeys.push(record);
  return passkeys;
}

test('the export of a user contains the stored data of the attestation', async () => {
  const enterprise = await start({
    attestation: 'enterprise',
    ...(await withMetadata([{ aaguid: model, statuses: ['FIDO_CERTIFIED_L2'] }])),
  });
  const answer = await signUpBy(enterprise, { attestation: 'packed' });
  const stored = await storedOf(enterprise, answer);
  expect(stored?.attestation_certificates).toHaveLength(2);
  expect(await exportedPasskeys(enterprise, answer)).toMatchObject([
    {
      attested: true,
      attestation: {
        format: 'packed',
        root: stored?.attestation_root,
        certification: 'L2',
        certificates: stored?.attestation_certificates,
      },
    },
  ]);
  const claimed = await signUpBy(service, { attestation: 'none' });
  const nothing = { root: null, certification: null, certificates: null };
  expect(await exportedPasskeys(service, claimed)).toMatchObject([
    { attested: false, attestation: { format: 'none', ...nothing } },
  ]);
  const unasked = await start({ attestation: 'none' });
  const plain = await signUpBy(unasked, { attestation: 'none' });
  expect(await exportedPasskeys(unasked, plain)).toMatchObject([{ attested: false, attestation: null }]);
});

test.each(['none', 'indirect', 'direct', 'enterprise'] as const)(
  'the preference %s is sent to the browser',
  async (attestation) => {
    const preferring = await start({ attestation });
    expect((await signUpStart(preferring.browser())).attestation).toBe(attestation);
  },
);

test('a list of certificates that is too long, empty or not a list is refused', async () => {
  for (const x5c of [[], 'text', Array.from({ length: 9 }, () => Uint8Array.of(1)), [Uint8Array.of(1)]]) {
    const answer = await signUpBy(
      service,
      { attestation: 'packed' },
      { attStmt: (statement) => new Map(statement).set('x5c', x5c as never) },
    );
    expectProblem(answer, 'registration_failed');
  }
});

test('the key of an authenticator cannot sign the certificate of another one', async () => {
  const forging = createAttestationAuthority({ issuerIsAuthority: false });
  const trusting = await start({ authenticatorRoots: forging.certificate });
  for (const attestation of kinds)
    expectRefused(await signUpBy(trusting, { attestation, attestationAuthority: forging }));
});

test('attestation changes no other option of a sign-up, and no statement of a sign-up or a sign-in', async () => {
  const plain = await start({ attestation: 'none' });
  const perform = async (on: TestService, attestation: CertifiedKind | 'none') => {
    const browser = on.browser();
    const authenticator = newAuthenticator({ aaguid: model, attestation, attestationAuthority: authority });
    on.statements.length = 0;
    const options = await signUpStart(browser);
    const credential = await authenticator.create(options);
    const { status } = await browser.post('/auth/passkey/register/verify', { credential });
    const signedIn = await logIn(on.browser(), authenticator);
    const { challenge: _challenge, user: _user, ...sent } = options;
    return { statuses: [status, signedIn.status], sent, statements: [...on.statements] };
  };
  const without = await perform(plain, 'none');
  const withIt = await perform(service, 'packed');
  expect(without.statuses).toEqual([201, 200]);
  expect(without.sent).toEqual({ ...withIt.sent, attestation: 'none' });
  expect(without.sent).toEqual({
    rp: { name: 'Latchkey', id: 'localhost' },
    pubKeyCredParams: expect.any(Array),
    timeout: 300_000,
    attestation: 'none',
    excludeCredentials: [],
    authenticatorSelection: {
      residentKey: 'required',
      userVerification: 'required',
      requireResidentKey: true,
    },
    extensions: { credProps: true },
    hints: [],
  });
  expect(without.statements).toEqual(withIt.statements);
  expect((await signUpBy(plain, { attestation: 'packed' })).body.code).toBe('registration_failed');
  expect(await lastReason(plain)).toBe('attestation_not_asked_for');
});
