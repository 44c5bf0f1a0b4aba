import { decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';
import { attested, fromBase64url, plain, register, rpIdHash } from '../support/ceremony-inputs.ts';

const honest = (ceremonies: typeof plain) =>
  fromBase64url(ceremonies.registration.response.attestationObject);

/** The attestation object of a registration: CBOR with the statement and the authenticator data. */
export const attestationObject: FuzzTarget = {
  name: 'attestation-object',
  maxBytes: 4096,
  dictionary: [
    encodeCBOR('fmt'),
    encodeCBOR('none'),
    encodeCBOR('packed'),
    encodeCBOR('fido-u2f'),
    encodeCBOR('tpm'),
    encodeCBOR('attStmt'),
    encodeCBOR('authData'),
    encodeCBOR('x5c'),
    encodeCBOR('alg'),
    encodeCBOR('sig'),
    encodeCBOR('__proto__'),
    encodeCBOR(-7),
    encodeCBOR(-257),
    Buffer.of(0xa0),
    Buffer.of(0xbf),
    Buffer.of(0xff),
    Buffer.of(0x9f),
    Buffer.of(0x5f),
    Buffer.of(0x7f),
    Buffer.of(0xf6),
    Buffer.of(0xf9, 0x7e, 0x00),
    Buffer.of(0x1b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    Buffer.of(0x9b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
  ],
  seeds: () => [honest(plain), honest(attested)],
  run: async (input) => {
    for (const ceremonies of [plain, attested]) {
      const registration = await register({ attestationObject: input }, ceremonies);
      if (!registration) continue;
      const decoded = decodeCBOR(Uint8Array.from(input)) as Map<string, unknown>;
      const statement = decoded.get('attStmt') as Map<string, unknown>;
      const authData = Buffer.from(decoded.get('authData') as Uint8Array);
      assertHolds(['none', 'packed'].includes(`${decoded.get('fmt')}`), 'accepted another format');
      assertHolds(!statement.has('x5c'), 'accepted a certificate');
      assertHolds(authData.subarray(0, 32).equals(rpIdHash), 'accepted another RP id');
      assertHolds((authData.readUInt8(32) & 0x45) === 0x45, 'accepted data without a verified user');
      assertHolds(registration.credentialId === ceremonies.registration.id, 'stored another credential id');
    }
  },
};
