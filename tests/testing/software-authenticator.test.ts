import { isoBase64URL } from '@simplewebauthn/server/helpers';
import {
  type AttestationKind,
  createAttestationAuthority,
  createSoftwareAuthenticator,
  type SoftwareAlgorithm,
} from 'latchkey/testing';
import { describe, expect, it } from 'vitest';
import {
  creationOptions,
  decodeAssertion,
  decodeRegistration,
  ORIGIN,
  requestOptions,
  userNamed,
  verifyAuthentication,
  verifyRegistration,
} from './ceremonies.ts';

const OFFERED_ALGORITHMS: SoftwareAlgorithm[] = ['ES256', 'EdDSA', 'RS256'];

function newAuthenticator(changes = {}) {
  return createSoftwareAuthenticator({ origin: ORIGIN, ...changes });
}

describe('a software authenticator without tampering', () => {
  it.each(OFFERED_ALGORITHMS)('registers and signs in with %s', async (algorithm) => {
    const authenticator = newAuthenticator({ algorithm });
    const registration = await verifyRegistration(await authenticator.create(creationOptions()));
    const assertion = await authenticator.get(requestOptions());
    const authentication = await verifyAuthentication(assertion, authenticator.credentials[0]);

    expect(registration).toMatchObject({
      verified: true,
      registrationInfo: { fmt: 'none', userVerified: true },
    });
    expect(registration.registrationInfo?.credential.publicKey).toEqual(
      authenticator.credentials[0]?.publicKey,
    );
    expect(authentication).toMatchObject({ verified: true, authenticationInfo: { userVerified: true } });
  });

  it.each([...OFFERED_ALGORITHMS, 'ES384', 'ES512', 'RS1'] as const)(
    'creates a valid packed self attestation with %s',
    async (algorithm) => {
      const authenticator = newAuthenticator({ attestation: 'packed-self' });
      const credential = await authenticator.create(creationOptions(), { algorithm });
      const everyAlgorithm = { supportedAlgorithmIDs: [-7, -8, -257, -35, -36, -65535] };

      expect(await verifyRegistration(credential, everyAlgorithm)).toMatchObject({
        verified: true,
        registrationInfo: { fmt: 'packed' },
      });
    },
  );

  it('returns a registration with the same properties as a browser’s toJSON()', async () => {
    const authenticator = newAuthenticator();
    const credential = await authenticator.create(creationOptions({ extensions: { credProps: true } }));
    const { clientData, authData } = decodeRegistration(credential);

    expect(credential).toMatchObject({
      id: authenticator.credentials[0]?.id,
      rawId: authenticator.credentials[0]?.id,
      type: 'public-key',
      authenticatorAttachment: 'platform',
      clientExtensionResults: { credProps: { rk: true } },
      response: { transports: ['internal', 'hybrid'], publicKeyAlgorithm: -7 },
    });
    expect(credential.response.authenticatorData).toBe(isoBase64URL.fromBuffer(authData));
    expect(Object.keys(clientData)).toEqual(['type', 'challenge', 'origin', 'crossOrigin']);
    expect(structuredClone(credential)).toEqual(JSON.parse(JSON.stringify(credential)));
  });

  it('creates synced passkeys by default', async () => {
    const { data } = decodeRegistration(await newAuthenticator().create(creationOptions()));
    expect(data.flags).toMatchObject({ up: true, uv: true, be: true, bs: true, at: true, ed: false });
  });

  it('can be a security key that is not backed up and has an AAGUID and a counter', async () => {
    const aaguid = 'cb69481e-8ff7-4039-93ec-0a2729a154a8';
    const securityKey = { aaguid, backupEligible: false, counter: 4, transports: ['usb'] };
    const credential = await newAuthenticator(securityKey).create(creationOptions());
    const { registrationInfo } = await verifyRegistration(credential);

    expect(credential.authenticatorAttachment).toBe('cross-platform');
    expect(registrationInfo).toMatchObject({ aaguid, credentialDeviceType: 'singleDevice' });
    expect(registrationInfo?.credential).toMatchObject({ counter: 4, transports: ['usb'] });
  });

  it('rejects a backup state without backup eligibility', () => {
    expect(() => newAuthenticator({ backupEligible: false, backedUp: true })).toThrow(TypeError);
  });

  it('rejects options that do not contain its algorithm', async () => {
    const onlyRsa = creationOptions({ pubKeyCredParams: [{ alg: -257, type: 'public-key' }] });
    await expect(newAuthenticator().create(onlyRsa)).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  it('treats an empty list of algorithms as a list of ES256 and RS256', async () => {
    const withoutAlgorithms = creationOptions({ pubKeyCredParams: [] });
    await expect(newAuthenticator().create(withoutAlgorithms)).resolves.toHaveProperty('id');
    const edDsa = newAuthenticator({ algorithm: 'EdDSA' });
    await expect(edDsa.create(withoutAlgorithms)).rejects.toMatchObject({ name: 'NotSupportedError' });
  });

  it('uses the host of its origin as the RP id if the options contain none', async () => {
    const authenticator = newAuthenticator();
    await verifyRegistration(await authenticator.create(creationOptions({ rp: { name: 'App' } })));
    const assertion = await authenticator.get(requestOptions({ rpId: undefined }));
    expect(await verifyAuthentication(assertion, authenticator.credentials[0])).toHaveProperty(
      'verified',
      true,
    );
  });
});

describe('the authority for attestations', () => {
  const inUse = (attestation: AttestationKind) => {
    const reads: string[] = [];
    const authority = createAttestationAuthority();
    const authenticator = createSoftwareAuthenticator({
      origin: ORIGIN,
      attestation,
      get attestationAuthority() {
        reads.push(attestation);
        return authority;
      },
    });
    return { authenticator, reads };
  };

  it.each(['none', 'packed-self'] as const)('is not created for the attestation %s', async (attestation) => {
    const { authenticator, reads } = inUse(attestation);
    await authenticator.create(creationOptions());
    expect(reads).toEqual([]);
  });

  it('is created once for an attestation with certificates', async () => {
    const { authenticator, reads } = inUse('packed');
    for (const name of ['ada', 'ben']) await authenticator.create(userNamed(name));
    expect(reads).toEqual(['packed']);
  });
});

describe('the signature counter', () => {
  it('stays 0 by default', async () => {
    const authenticator = newAuthenticator();
    await authenticator.create(creationOptions());
    await authenticator.get(requestOptions());
    expect(decodeAssertion(await authenticator.get(requestOptions())).data.counter).toBe(0);
  });

  it('increases by one if it starts above 0, separately for each credential', async () => {
    const authenticator = newAuthenticator({ counter: 7 });
    const ada = await authenticator.create(userNamed('ada'));
    await authenticator.create(userNamed('bob'));
    const asAda = requestOptions({ allowCredentials: [{ id: ada.id, type: 'public-key' }] });

    expect(decodeRegistration(ada).data.counter).toBe(7);
    expect(decodeAssertion(await authenticator.get(asAda)).data.counter).toBe(8);
    expect(decodeAssertion(await authenticator.get(asAda)).data.counter).toBe(9);
    expect(authenticator.credentials.map(({ counter }) => counter)).toEqual([9, 7]);
  });

  it('increases by the given step, even if it starts at 0', async () => {
    const authenticator = newAuthenticator({ counterStep: 5 });
    await authenticator.create(creationOptions());
    const assertion = await authenticator.get(requestOptions());

    expect(decodeAssertion(assertion).data.counter).toBe(5);
    await expect(verifyAuthentication(assertion, authenticator.credentials[0], 5)).rejects.toThrow('counter');
  });
});

describe('resident credentials', () => {
  it('are listed with their RP id, username and user handle, oldest first', async () => {
    const authenticator = newAuthenticator();
    const ada = await authenticator.create(userNamed('ada'));
    const bob = await authenticator.create(userNamed('bob'));

    expect(authenticator.credentials).toMatchObject([
      { id: ada.id, rpId: 'app.example', username: 'ada', userHandle: isoBase64URL.fromUTF8String('ada') },
      { id: bob.id, rpId: 'app.example', username: 'bob', userHandle: isoBase64URL.fromUTF8String('bob') },
    ]);
  });

  it('can sign if the list of allowed credentials is empty; then the newest credential of the RP id signs', async () => {
    const authenticator = newAuthenticator();
    await authenticator.create(userNamed('ada'));
    const bob = await authenticator.create(userNamed('bob'));
    await authenticator.create(creationOptions({ rp: { id: 'other.example', name: 'Other' } }));
    const assertion = await authenticator.get(requestOptions({ allowCredentials: [] }));

    expect(assertion.id).toBe(bob.id);
    expect(assertion.response.userHandle).toBe(isoBase64URL.fromUTF8String('bob'));
  });

  it('cannot sign if the list of allowed credentials does not contain them', async () => {
    const authenticator = newAuthenticator();
    const ada = await authenticator.create(userNamed('ada'));
    await authenticator.create(userNamed('bob'));
    const decoy = { id: 'ZGVjb3k', type: 'public-key' } as const;
    const allowCredentials = [decoy, { id: ada.id, type: 'public-key' } as const];

    expect((await authenticator.get(requestOptions({ allowCredentials }))).id).toBe(ada.id);
    await expect(authenticator.get(requestOptions({ allowCredentials: [decoy] }))).rejects.toMatchObject({
      name: 'NotAllowedError',
    });
  });

  it('sign only for their own RP id', async () => {
    const authenticator = newAuthenticator();
    await authenticator.create(creationOptions());
    await expect(authenticator.get(requestOptions({ rpId: 'other.example' }))).rejects.toMatchObject({
      name: 'NotAllowedError',
    });
  });

  it('prevent a second credential if the options exclude them', async () => {
    const authenticator = newAuthenticator();
    const { id } = await authenticator.create(creationOptions());
    const again = creationOptions({ excludeCredentials: [{ id, type: 'public-key' }] });

    await expect(authenticator.create(again)).rejects.toMatchObject({ name: 'InvalidStateError' });
    await expect(newAuthenticator().create(again)).resolves.toHaveProperty('id');
    expect(authenticator.credentials).toHaveLength(1);
  });

  it('can be deleted', async () => {
    const authenticator = newAuthenticator();
    const kept = await authenticator.create(userNamed('ada'));
    const forgotten = await authenticator.create(userNamed('bob'));
    authenticator.forget(forgotten.id);

    expect((await authenticator.get(requestOptions())).id).toBe(kept.id);
  });
});

describe('a clone', () => {
  it('signs with the same keys and continues the same counter separately', async () => {
    const original = newAuthenticator({ counter: 1 });
    await original.create(creationOptions());
    const clone = original.clone();
    const fromOriginal = await original.get(requestOptions());
    const fromClone = await clone.get(requestOptions());
    const [held] = original.credentials;

    expect(fromClone.id).toBe(fromOriginal.id);
    expect(await verifyAuthentication(fromOriginal, held, 1)).toHaveProperty('verified', true);
    expect(await verifyAuthentication(fromClone, held, 1)).toHaveProperty('verified', true);
    expect(decodeAssertion(fromClone).data.counter).toBe(2);
    await expect(verifyAuthentication(fromClone, held, 2)).rejects.toThrow('counter');
  });

  it('does not receive later credentials of the original', async () => {
    const original = newAuthenticator();
    const clone = original.clone();
    await original.create(creationOptions());
    expect(clone.credentials).toEqual([]);
  });
});
