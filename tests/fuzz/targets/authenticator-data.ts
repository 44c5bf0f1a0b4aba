import { decodeCBOR, encodeCBOR } from '@levischuck/tiny-cbor';
import { assertHolds, type FuzzTarget } from '../fuzz-target.ts';
import { attested, fromBase64url, plain, register, rpIdHash, signIn } from '../support/ceremony-inputs.ts';

/** Authenticator data of both ceremonies. The signature of the assertion is valid, whatever the data is. */
export const authenticatorData: FuzzTarget = {
  name: 'authenticator-data',
  maxBytes: 4096,
  dictionary: [
    Buffer.of(0x45),
    Buffer.of(0xc5),
    Buffer.of(0x85),
    Buffer.of(0xa0),
    Buffer.of(0xa1, 0x63, 0x61, 0x62, 0x63, 0xf5),
    Buffer.of(0xbf, 0xff),
    Buffer.of(0x9f, 0xff),
    Buffer.of(0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    Buffer.of(0xfb, 0, 0, 0, 0, 0, 0, 0, 0),
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01),
    rpIdHash,
  ],
  seeds: () => [
    ...[plain, attested].map(({ registration }) => authDataOf(registration.response.attestationObject)),
    ...[plain, attested].map(({ assertion }) => fromBase64url(assertion.response.authenticatorData)),
  ],
  run: async (input) => {
    const attestationObject = encodeCBOR(
      new Map<string, Uint8Array | string | Map<never, never>>([
        ['fmt', 'none'],
        ['attStmt', new Map<never, never>()],
        ['authData', input],
      ]),
    );
    const registration = await register({ attestationObject });
    const assertion = await signIn({ authenticatorData: input });
    if (registration) {
      assertAllowed(input, registration);
      const length = Buffer.from(input).readUInt16BE(53);
      const id = Buffer.from(input.subarray(55, 55 + length)).toString('base64url');
      assertHolds(registration.credentialId === id, 'stored another credential id');
      assertHolds((flagsOf(input) & 0x40) !== 0, 'accepted a registration without a credential');
    }
    if (assertion) assertAllowed(input, assertion);
  },
};

const authDataOf = (attestationObject: string): Uint8Array =>
  (decodeCBOR(fromBase64url(attestationObject)) as Map<string, Uint8Array>).get('authData') ??
  new Uint8Array();

const flagsOf = (input: Uint8Array): number => input[32] ?? 0;

interface Result {
  counter: number;
  backedUp: boolean;
  backupEligible: boolean;
}

/** Checks accepted authenticator data without the code of the package (WebAuthn 6.1). */
function assertAllowed(input: Uint8Array, { counter, backedUp, backupEligible }: Result): void {
  const bytes = Buffer.from(input);
  const flags = flagsOf(input);
  assertHolds(bytes.subarray(0, 32).equals(rpIdHash), 'accepted another RP id');
  assertHolds((flags & 0x01) !== 0, 'accepted data without user presence');
  assertHolds((flags & 0x04) !== 0, 'accepted data without user verification');
  assertHolds(backupEligible === ((flags & 0x08) !== 0), 'stored another backup eligibility');
  assertHolds(backedUp === ((flags & 0x10) !== 0), 'stored another backup state');
  assertHolds(!backedUp || backupEligible, 'accepted a backup without eligibility');
  assertHolds(counter === bytes.readUInt32BE(33), 'stored another counter');
  assertHolds((flags & 0xc0) !== 0 || bytes.length === 37, 'accepted trailing bytes');
}
