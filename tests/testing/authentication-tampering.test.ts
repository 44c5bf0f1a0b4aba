import { isoBase64URL } from '@simplewebauthn/server/helpers';
import {
  append,
  createSoftwareAuthenticator,
  flipLastBit,
  type GetTampering,
  rawEcdsaSignature,
  truncateBy,
} from 'latchkey/testing';
import { describe, expect, it } from 'vitest';
import {
  creationOptions,
  decodeAssertion,
  ORIGIN,
  requestOptions,
  userNamed,
  verifyAuthentication,
} from './ceremonies.ts';

type Expected = Parameters<typeof verifyAuthentication>[3];

async function signIn(tamper: GetTampering) {
  const authenticator = createSoftwareAuthenticator({ origin: ORIGIN });
  await authenticator.create(creationOptions());
  const assertion = await authenticator.get(requestOptions(), tamper);
  const verify = (expected?: Expected) =>
    verifyAuthentication(assertion, authenticator.credentials[0], 0, expected);
  return { authenticator, assertion, verify };
}

describe('an assertion that is changed before signing', () => {
  it.each<[string, GetTampering, Expected]>([
    ['type', { clientData: { type: 'webauthn.create' } }, { expectedType: 'webauthn.create' }],
    ['challenge', { clientData: { challenge: 'b3RoZXI' } }, { expectedChallenge: 'b3RoZXI' }],
    [
      'origin',
      { clientData: { origin: 'https://evil.example' } },
      { expectedOrigin: 'https://evil.example' },
    ],
    ['crossOrigin', { clientData: { crossOrigin: true } }, {}],
    [
      'topOrigin',
      { clientData: { crossOrigin: true, topOrigin: 'https://evil.example' } },
      { expectedTopOrigin: 'https://evil.example' },
    ],
    ['unknown property', { clientData: { future: 'x' } }, {}],
    ['white space', { clientData: (json) => ` ${json}` }, {}],
    ['RP id', { rpId: 'evil.example' }, { expectedRPID: 'evil.example' }],
    ['no user verification', { flags: { uv: false } }, { requireUserVerification: false }],
    ['no user presence', { flags: { up: false } }, { advancedFIDOConfig: { userVerification: 'required' } }],
    ['lost backup eligibility', { flags: { be: false, bs: false } }, {}],
    ['counter', { signCount: 12 }, {}],
    ['extension outputs', { extensionData: new Map([['uvm', [1, 2]]]) }, {}],
    ['attested credential data', { attestedCredentialData: true }, {}],
    ['response id', { id: 'c29tZW9uZSBlbHNl' }, {}],
    ['user handle', { userHandle: 'c29tZW9uZSBlbHNl' }, {}],
  ])('has a valid signature (%s)', async (_, tamper, expected) => {
    const { verify } = await signIn(tamper);
    expect(await verify(expected)).toHaveProperty('verified', true);
  });

  it('is rejected by the verifying library with its default options', async () => {
    const tamperings: GetTampering[] = [
      { clientData: { type: 'webauthn.create' } },
      { clientData: { challenge: 'b3RoZXI' } },
      { clientData: { origin: 'https://evil.example' } },
      { clientData: { topOrigin: 'https://evil.example' } },
      { rpId: 'evil.example' },
      { flags: { up: false } },
      { flags: { uv: false } },
      { flags: { be: false, bs: true } },
      { authenticatorData: append(0) },
      { rawId: 'b3RoZXI' },
      { type: 'password' },
    ];
    for (const tamper of tamperings) await expect((await signIn(tamper)).verify()).rejects.toThrow();
  });
});

describe('an assertion', () => {
  it('contains the given flags, counter and extensions', async () => {
    const { assertion } = await signIn({
      flags: { uv: false, be: false, bs: true },
      signCount: 99,
      extensionData: new Map([['uvm', 1]]),
    });
    const { data } = decodeAssertion(assertion);

    expect(data.flags).toMatchObject({ up: true, uv: false, be: false, bs: true, at: false, ed: true });
    expect(data.counter).toBe(99);
    expect(data.extensionsData).toEqual({ uvm: 1 });
  });

  it('with a given counter increases the authenticator’s own counter as usual', async () => {
    const authenticator = createSoftwareAuthenticator({ origin: ORIGIN, counter: 3 });
    await authenticator.create(creationOptions());
    await authenticator.get(requestOptions(), { signCount: 1 });
    expect(decodeAssertion(await authenticator.get(requestOptions())).data.counter).toBe(5);
  });

  it('can contain attested credential data', async () => {
    const { assertion, authenticator } = await signIn({ attestedCredentialData: true });
    const { data } = decodeAssertion(assertion);
    expect(data.credentialPublicKey).toEqual(authenticator.credentials[0]?.publicKey);
  });

  it('can contain another user handle, null, or no user handle', async () => {
    const sent = async (tamper: GetTampering) =>
      JSON.parse(JSON.stringify((await signIn(tamper)).assertion.response));

    expect(await sent({ userHandle: 'b3RoZXI' })).toHaveProperty('userHandle', 'b3RoZXI');
    expect(await sent({ userHandle: null })).toHaveProperty('userHandle', null);
    expect(await sent({ userHandle: undefined })).not.toHaveProperty('userHandle');
  });

  it('contains the given unsigned properties', async () => {
    const { assertion } = await signIn({
      id: 'b3RoZXI',
      type: 'password',
      authenticatorAttachment: 'implanted',
      clientExtensionResults: { appid: true },
    });
    expect(assertion).toMatchObject({
      id: 'b3RoZXI',
      rawId: 'b3RoZXI',
      type: 'password',
      authenticatorAttachment: 'implanted',
      clientExtensionResults: { appid: true },
    });
  });

  it('is signed by the given credential, even if the options do not allow the credential', async () => {
    const authenticator = createSoftwareAuthenticator({ origin: ORIGIN });
    const ada = await authenticator.create(userNamed('ada'));
    const bob = await authenticator.create(userNamed('bob'));
    const onlyAda = requestOptions({ allowCredentials: [{ id: ada.id, type: 'public-key' }] });
    const assertion = await authenticator.get(onlyAda, { credential: bob.id });

    expect(assertion.id).toBe(bob.id);
    expect(await verifyAuthentication(assertion, authenticator.credentials[1])).toHaveProperty(
      'verified',
      true,
    );
    await expect(authenticator.get(onlyAda, { credential: 'unknown' })).rejects.toThrow(TypeError);
  });

  it('can have the id of another credential', async () => {
    const authenticator = createSoftwareAuthenticator({ origin: ORIGIN });
    const victim = await authenticator.create(userNamed('ada'));
    await authenticator.create(userNamed('mallory'));
    const assertion = await authenticator.get(requestOptions(), { id: victim.id });

    expect(assertion.id).toBe(victim.id);
    expect(await verifyAuthentication(assertion, authenticator.credentials[0])).toHaveProperty(
      'verified',
      false,
    );
  });
});

describe('an assertion that is changed after signing', () => {
  it.each<[string, GetTampering]>([
    ['client data', { afterSigning: { clientDataJSON: append(0x20) } }],
    ['authenticator data', { afterSigning: { authenticatorData: (data) => data.with(36, 9) } }],
    ['one bit of the signature', { afterSigning: { signature: flipLastBit } }],
  ])('has an invalid signature (%s)', async (_, tamper) => {
    expect(await (await signIn(tamper)).verify()).toHaveProperty('verified', false);
  });

  it('can have any bytes as its signature', async () => {
    const sent = async (signature: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array) => {
      const { assertion, verify } = await signIn({ afterSigning: { signature } });
      await expect(verify()).rejects.toThrow();
      return isoBase64URL.toBuffer(assertion.response.signature);
    };

    expect(await sent(() => Uint8Array.of())).toHaveLength(0);
    expect(await sent(() => new Uint8Array(70).fill(7))).toHaveLength(70);
    expect(await sent(rawEcdsaSignature)).toHaveLength(64);
    expect((await sent(truncateBy(8))).at(0)).toBe(0x30);
  });
});
