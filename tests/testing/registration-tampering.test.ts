import { generateKeyPairSync } from 'node:crypto';
import {
  decodeAttestationObject,
  isoBase64URL,
  isoCBOR,
  parseAuthenticatorData,
} from '@simplewebauthn/server/helpers';
import {
  append,
  COSE,
  type CreateTampering,
  createSoftwareAuthenticator,
  flipLastBit,
  indefiniteMap,
  nonMinimalMap,
  offCurve,
  truncateBy,
  withoutMember,
} from 'latchkey/testing';
import { describe, expect, it } from 'vitest';
import {
  CHALLENGE,
  coseMap,
  creationOptions,
  decodeRegistration,
  ORIGIN,
  requestOptions,
  verifyAuthentication,
  verifyRegistration,
} from './ceremonies.ts';

/** Uses self attestation, so a change after signing breaks a signature. */
const attesting = () => createSoftwareAuthenticator({ origin: ORIGIN, attestation: 'packed-self' });
const create = (tamper: CreateTampering) => attesting().create(creationOptions(), tamper);
const register = async (tamper: CreateTampering) => decodeRegistration(await create(tamper));

describe('a registration that is changed before signing', () => {
  it.each<[string, CreateTampering, Parameters<typeof verifyRegistration>[1]]>([
    ['type', { clientData: { type: 'webauthn.get' } }, { expectedType: 'webauthn.get' }],
    ['challenge', { clientData: { challenge: 'b3RoZXI' } }, { expectedChallenge: 'b3RoZXI' }],
    [
      'origin',
      { clientData: { origin: 'https://evil.example' } },
      { expectedOrigin: 'https://evil.example' },
    ],
    ['crossOrigin', { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } }, {}],
    ['token binding', { clientData: { tokenBinding: { status: 'supported' } } }, {}],
    ['unknown property', { clientData: { future: [1] } }, {}],
    ['RP id', { rpId: 'evil.example' }, { expectedRPID: 'evil.example' }],
    ['no user presence', { flags: { up: false } }, { requireUserPresence: false }],
    ['no user verification', { flags: { uv: false } }, { requireUserVerification: false }],
    ['reserved bits', { flags: { rfu1: true, rfu2: true } }, {}],
    ['counter', { signCount: 2 ** 32 - 1 }, {}],
    ['AAGUID', { aaguid: 'cb69481e-8ff7-4039-93ec-0a2729a154a8' }, {}],
    ['extension outputs', { extensionData: new Map([['credProtect', 2]]) }, {}],
    ['credential id', { credentialId: new Uint8Array(1024) }, {}],
    ['response id', { id: 'c29tZW9uZSBlbHNl' }, {}],
    ['algorithm', { algorithm: 'ES384' }, { supportedAlgorithmIDs: [-35] }],
  ])('has a valid signature (%s)', async (_, tamper, expected) => {
    expect(await verifyRegistration(await create(tamper), expected)).toHaveProperty('verified', true);
  });

  it('is rejected by the verifying library with its default options', async () => {
    const tamperings: CreateTampering[] = [
      { clientData: { type: 'webauthn.get' } },
      { clientData: { challenge: 'b3RoZXI' } },
      { clientData: { origin: 'https://evil.example' } },
      { rpId: 'evil.example' },
      { flags: { up: false } },
      { flags: { uv: false } },
      { flags: { be: false, bs: true } },
      { attestedCredentialData: false },
      { algorithm: 'RS1' },
      { rawId: 'b3RoZXI' },
      { type: 'password' },
    ];
    for (const tamper of tamperings) await expect(verifyRegistration(await create(tamper))).rejects.toThrow();
  });
});

describe('client data at registration', () => {
  it('can have changed, added and removed properties', async () => {
    const { clientData } = await register({ clientData: { origin: undefined, crossOrigin: true, extra: 1 } });
    expect(clientData).toEqual({
      type: 'webauthn.create',
      challenge: CHALLENGE,
      crossOrigin: true,
      extra: 1,
    });
  });

  it('can be replaced with text, bytes or a function of the original text', async () => {
    const sent = async (clientData: CreateTampering['clientData']) =>
      isoBase64URL.toUTF8String((await create({ clientData })).response.clientDataJSON);

    expect(await sent('not JSON')).toBe('not JSON');
    expect(await sent(Uint8Array.of(0x7b, 0x7d))).toBe('{}');
    expect(await sent((json) => `${json} `)).toMatch(/^\{"type":"webauthn.create".*\} $/);
  });
});

describe('authenticator data at registration', () => {
  it('contains the given values', async () => {
    const { data, authData } = await register({
      aaguid: 'cb69481e-8ff7-4039-93ec-0a2729a154a8',
      credentialId: Uint8Array.of(1, 2, 3),
      signCount: 77,
      extensionData: new Map([['credProtect', 2]]),
      flags: { uv: false, bs: false, rfu1: true },
    });

    expect(Buffer.from(data.aaguid ?? []).toString('hex')).toBe('cb69481e8ff7403993ec0a2729a154a8');
    expect(data.credentialID).toEqual(Uint8Array.of(1, 2, 3));
    expect(data.counter).toBe(77);
    expect(data.extensionsData).toEqual({ credProtect: 2 });
    expect(data.flags).toMatchObject({ up: true, uv: false, be: true, bs: false, at: true, ed: true });
    expect(authData.at(32)).toBe(0b1100_1011);
  });

  it('can have flags for missing sections', async () => {
    await expect(register({ flags: { at: false } })).rejects.toThrow('Leftover bytes');
    await expect(register({ flags: { ed: true } })).rejects.toThrow();
    await expect(register({ flags: { ed: false }, extensionData: new Map() })).rejects.toThrow(
      'Leftover bytes',
    );
    expect((await register({ attestedCredentialData: false })).data).toMatchObject({ flags: { at: false } });
  });

  it('can have broken extensions, trailing bytes or missing bytes', async () => {
    await expect(register({ extensionData: Uint8Array.of(0xa1) })).rejects.toThrow('well formed');
    await expect(register({ authenticatorData: append(0) })).rejects.toThrow('Leftover bytes');
    await expect(register({ authenticatorData: truncateBy(40) })).rejects.toThrow();
    await expect(register({ authenticatorData: (data) => data.slice(0, 36) })).rejects.toThrow('36 bytes');
  });
});

describe('the credential public key', () => {
  it('can be changed', async () => {
    const original = (await register({})).publicKey;
    const otherAlgorithm = await register({ publicKey: (key) => key.set(COSE.alg, -257) });
    const otherType = await register({ publicKey: (key) => key.set(COSE.kty, 3) });
    const noPoint = await register({ publicKey: withoutMember(COSE.y) });
    const reversed = await register({ publicKey: (key) => new Map([...key].reverse()) });

    expect([...(original?.keys() ?? [])]).toEqual([1, 3, -1, -2, -3]);
    expect(otherAlgorithm.publicKey?.get(COSE.alg)).toBe(-257);
    expect(otherType.publicKey?.get(COSE.kty)).toBe(3);
    expect(noPoint.publicKey?.has(COSE.y)).toBe(false);
    expect([...(reversed.publicKey?.keys() ?? [])]).toEqual([-3, -2, -1, 3, 1]);
  });

  it('can have a point off the curve', async () => {
    await expect(create({ publicKey: offCurve }).then(verifyRegistration)).rejects.toThrow();
    await expect(create({ algorithm: 'RS256', publicKey: offCurve })).rejects.toThrow(TypeError);
  });

  it('can be non-canonical or invalid CBOR', async () => {
    const encoded = (transform: (cbor: Uint8Array) => Uint8Array) =>
      register({ publicKey: (key) => transform(isoCBOR.encode(key)) });

    await expect(encoded(nonMinimalMap)).rejects.toThrow('not well formed');
    await expect(encoded(indefiniteMap)).rejects.toThrow('not well formed');
    await expect(encoded(() => Uint8Array.of(0xff))).rejects.toThrow('not well formed');
  });

  it.each([
    ['a 512-bit RSA key', 'RS256', generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey, COSE.n, 64],
    [
      'a P-384 key with the algorithm ES256',
      'ES256',
      generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
      COSE.x,
      48,
    ],
    [
      'a P-521 key with the algorithm ES256',
      'ES256',
      generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey,
      COSE.x,
      66,
    ],
  ] as const)('can be %s, which creates a valid signature', async (_, algorithm, key, member, size) => {
    const authenticator = createSoftwareAuthenticator({ origin: ORIGIN });
    const { publicKey } = decodeRegistration(
      await authenticator.create(creationOptions(), { algorithm, key }),
    );
    const assertion = await authenticator.get(requestOptions());

    expect(publicKey?.get(member)).toHaveLength(size);
    expect(await verifyAuthentication(assertion, authenticator.credentials[0])).toHaveProperty(
      'verified',
      true,
    );
  });

  it('is stored as it was sent', async () => {
    const authenticator = attesting();
    await authenticator.create(creationOptions(), { publicKey: (key) => key.set(COSE.alg, -8) });
    const [held] = authenticator.credentials;
    expect(held && coseMap(held.publicKey).get(COSE.alg)).toBe(-8);
  });
});

describe('the attestation statement', () => {
  it('can have any format and content', async () => {
    const x5c = [Uint8Array.of(0x30, 0)];
    const { fmt, attStmt } = await register({
      fmt: 'tpm',
      attStmt: (statement) => statement.set('x5c', x5c),
    });

    expect(fmt).toBe('tpm');
    expect(attStmt.get('x5c')).toEqual(x5c);
    expect(attStmt.get('alg')).toBe(-7);
  });

  it('can be computed from the signed data', async () => {
    let covered: Uint8Array = Uint8Array.of();
    const { authData } = await register({
      attStmt: (_, signedData) => {
        covered = signedData;
        return new Map();
      },
    });
    expect(covered.slice(0, -32)).toEqual(authData);
  });
});

describe('the other properties of a registration response', () => {
  it('can have any unsigned values', async () => {
    const credential = await create({
      id: 'b3RoZXI',
      type: 'password',
      transports: ['smoke-signal'],
      authenticatorAttachment: undefined,
      clientExtensionResults: { unheardOf: true },
    });

    expect(JSON.parse(JSON.stringify(credential))).toMatchObject({
      id: 'b3RoZXI',
      rawId: 'b3RoZXI',
      type: 'password',
    });
    expect(JSON.stringify(credential)).not.toContain('authenticatorAttachment');
    expect(credential.response.transports).toEqual(['smoke-signal']);
    expect(credential.clientExtensionResults).toEqual({ unheardOf: true });
    expect(
      isoBase64URL.fromBuffer(decodeRegistration(credential).data.credentialID ?? new Uint8Array()),
    ).not.toBe('b3RoZXI');
  });

  it('can have different values of `id` and `rawId`', async () => {
    const credential = await create({ rawId: 'b3RoZXI' });
    expect(credential.id).not.toBe(credential.rawId);
  });
});

describe('a registration that is changed after signing', () => {
  it.each<[string, CreateTampering]>([
    ['client data', { afterSigning: { clientDataJSON: append(0x20) } }],
    ['authenticator data', { afterSigning: { authenticatorData: (data) => data.with(36, 9) } }],
    ['signature', { afterSigning: { signature: flipLastBit } }],
  ])('has an invalid signature (%s)', async (_, tamper) => {
    expect(await verifyRegistration(await create(tamper))).toHaveProperty('verified', false);
  });

  it('can have any bytes as its attestation object', async () => {
    const sent = async (attestationObject: (bytes: Uint8Array) => Uint8Array) =>
      isoBase64URL.toBuffer(
        (await create({ afterSigning: { attestationObject } })).response.attestationObject,
      );
    const original = await sent((bytes) => bytes);

    expect(parseAuthenticatorData(decodeAttestationObject(original).get('authData')).flags.at).toBe(true);
    expect(decodeAttestationObject(await sent((bytes) => append(1, 2)(new Uint8Array(bytes))))).toBeDefined();
    expect((await sent(nonMinimalMap)).slice(0, 2)).toEqual(Uint8Array.of(0xb8, 3));
    expect((await sent(indefiniteMap)).at(-1)).toBe(0xff);
    const truncated = await sent((bytes) => bytes.slice(0, 20));
    expect(() => decodeAttestationObject(truncated)).toThrow();
  });
});
