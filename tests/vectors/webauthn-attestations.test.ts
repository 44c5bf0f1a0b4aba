import { createHash, X509Certificate } from 'node:crypto';
import { decodeCBOR } from '@levischuck/tiny-cbor';
import { createAttestationAuthority } from 'latchkey/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { proveModel } from '../../src/attestation/prove-model.ts';
import type { createSealer as CreateSealer } from '../../src/core/sealing.ts';
import { verifyRegistration } from '../../src/passkeys/verify-registration.ts';
import type { TestService } from '../support/test-service.ts';
import type { Statement } from './support/attestations.ts';
import {
  addQuietly,
  base64url,
  publishedRegistration,
  type Registration,
  resultOf,
  startExampleService,
} from './support/ceremonies.ts';
import { authorityCertificate } from './support/certificates.ts';
import { examples } from './support/webauthn-examples.ts';

vi.mock('../../src/core/sealing.ts', async (importOriginal) => {
  const real = await importOriginal<{ createSealer: typeof CreateSealer }>();
  const { withPublishedChallenges } = await import('./support/published-challenges.ts');
  const createSealer: typeof CreateSealer = (secrets) => withPublishedChallenges(real.createSealer(secrets));
  return { ...real, createSealer };
});

const attestation = 'direct';
const root = authorityCertificate();
const roots = new X509Certificate(root).toString();
const settings = {
  attestation,
  roots: [roots],
  metadata: null,
  metadataRoots: null,
  requirements: { user: [], admin: [], superadmin: [] },
  checkSignIns: false,
  decide: null,
} as const;

let service: TestService;
let stranger: TestService;
beforeAll(async () => {
  service = await startExampleService({ attestation, authenticatorRoots: roots });
  const { certificate } = createAttestationAuthority();
  stranger = await startExampleService({ attestation, authenticatorRoots: certificate });
});
afterAll(() => Promise.all([service.close(), stranger.close()]));

test('the certificate of the authority is the one that section 16.1 publishes', () => {
  expect(createHash('sha256').update(root).digest('hex')).toBe(
    '68ff927708f5d229252ffe4a1c6842c11998d1e1fa2b46138bb5642eff9b161b',
  );
});

/**
 * The examples that SimpleWebAuthn refuses although their certificates are trusted, with its errors. README.md says why
 * each refusal is right.
 */
const refused: Record<string, RegExp> = {
  'packed.ES384': /^Unexpected public key alg "-35"/,
  'packed.ES512': /^Unexpected public key alg "-36"/,
  'packed.Ed448': /^Unexpected public key alg "-53"/,
  'tpm.ES256': /^Could not match TPM manufacturer "id:00000000"/,
  'fido-u2f.ES256': /^AAGUID "\S+" was not expected value/,
};

/** Verifies a registration without HTTP, for the error of SimpleWebAuthn. */
const verify = ({ id, clientDataJSON, attestationObject }: Registration) =>
  verifyRegistration(
    {
      id,
      rawId: id,
      type: 'public-key',
      response: {
        clientDataJSON: base64url(clientDataJSON),
        attestationObject: base64url(attestationObject),
      },
      clientExtensionResults: {},
    },
    JSON.parse(Buffer.from(clientDataJSON).toString()),
    { config: { ...relyingParty, authenticators: settings } as never, metadata: null },
    false,
  );
const relyingParty = { rpId: 'example.org', origins: ['https://example.org'], appOrigins: [] };

const untrusted = '403 authenticator_not_allowed: attestation_untrusted';

const certified = examples.filter(({ format }) => format !== 'none' && format !== 'packed-self');

describe('a registration of the example', () => {
  test.each(certified.filter(({ name }) => !(name in refused)))(
    '$name proves the model with the published authority',
    async (example) => {
      const { answer } = await addQuietly(service, example, publishedRegistration(example));
      expect(await resultOf(service, answer)).toBe('accepted');
      expect(answer.body.device.attested).toBe(true);
    },
  );

  test.each(
    certified
      .map((example) => ({ example, name: example.name, fault: refused[example.name] }))
      .filter(({ fault }) => fault),
  )('$name has trusted certificates, and is refused with the error $fault', async ({ example, fault }) => {
    const registration = publishedRegistration(example);
    const { answer } = await addQuietly(service, example, registration);
    expect(await resultOf(service, answer)).toBe(untrusted);
    const decoded = decodeCBOR(registration.attestationObject) as Map<string, Statement>;
    const given = { fmt: example.format, statement: decoded.get('attStmt') as Statement, aaguid: '' };
    expect((await proveModel(given, settings, null))?.attestation.attested).toBe(true);
    await expect(verify(registration)).rejects.toMatchObject({
      reason: 'attestation_untrusted',
      cause: { message: expect.stringMatching(fault ?? '') },
    });
  });

  test.each(certified)('$name is refused with another authority', async (example) => {
    const { answer } = await addQuietly(stranger, example, publishedRegistration(example));
    expect(await resultOf(stranger, answer)).toBe(untrusted);
  });
});
