import { createHash, createPrivateKey } from 'node:crypto';
import { createSoftwareAuthenticator, type SoftwareAuthenticator } from 'latchkey/testing';
import { origin } from '../../support/test-service.ts';

/** The time of every dump. Tests set the clocks of the service and of the restored database to this time. */
export const dumpedAt = '2026-01-15T12:00:00.000Z';

/** The username and the number in the id of each user. */
const numbers = { rosa: 1, ada: 2, ben: 3, cora: 4, dora: 5, eli: 6, fay: 7, gus: 8 } as const;
export type DumpedUser = keyof typeof numbers;

/** Returns a fixed id, in the format of a UUID of version 7. */
export const idOf = (number: number): string => `01900000-0000-7000-8000-${`${number}`.padStart(12, '0')}`;
export const userIdOf = (username: DumpedUser): string => idOf(numbers[username]);

const digest = (algorithm: 'sha256' | 'sha512', text: string) => createHash(algorithm).update(text).digest();

/** The token of a session, of an invitation link or of a recovery link. The dumps contain only its hash. */
export const tokenOf = (name: string): string => digest('sha256', `token of ${name}`).toString('base64url');
export const handleOf = (username: DumpedUser): string =>
  digest('sha512', `handle of ${username}`).toString('base64url');

/** The password of Ben, Cora and Gus. */
export const password = 'a wet towel in Oslo';
/**
 * Ben's recovery codes. The code `unfinished` is from a recovery that was not completed. Such codes were possible until
 * migration 7, which deletes them.
 */
export const codes = {
  unused: '7G3MX-9QHFV-2WC8P-JR46X',
  used: 'CCCCC-9QHFV-2WC8P-JR46X',
  unfinished: 'FFFFF-9QHFV-2WC8P-JR46X',
} as const;

/** The private keys of the passkeys, as PKCS #8. These keys exist only for the dumps. */
const passkeys = {
  rosa: {
    algorithm: 'ES256',
    counter: 0,
    key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgifqaDr3NpDR4AzJ-RFdwVAlPXvbYQakHTC1s7d6NVCWhRANCAARsgwuSJyKfCTI0Z01zRGtoOLWyqgcr1vxkespt9azwJCpGK7ksxVQLjb_BNZwiL54DjKfscdklOcXiLW-Fmswg',
  },
  ada: {
    algorithm: 'EdDSA',
    counter: 0,
    key: 'MC4CAQAwBQYDK2VwBCIEIOnC929X_MCxBgp4-HQoKTIb99k_PeMAb49g-l0Ks2F_',
  },
  ben: {
    algorithm: 'ES256',
    counter: 7,
    key: 'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg_qDqs9dbcjAK0121SZG096XemR0vrSaU05ZqWJ2b3GmhRANCAARadpIdhNnnANugWNVho51CxRiPI-exCQuFRputaNkwx1kmesECfrAvrV0EFjLQUTTANGkbftHez7XRk6i-Ts20',
  },
  cora: {
    algorithm: 'EdDSA',
    counter: 0,
    key: 'MC4CAQAwBQYDK2VwBCIEIOnC929X_MCxBgp4-HQoKTIb99k_PeMAb49g-l0Ks2F_',
  },
} as const;
export type PasskeyUser = keyof typeof passkeys;

/** Creates an authenticator with the passkey of a user, as it was when the dump was made. */
export async function authenticatorOf(username: PasskeyUser): Promise<SoftwareAuthenticator> {
  const { algorithm, counter, key } = passkeys[username];
  const authenticator = createSoftwareAuthenticator({ origin, algorithm, counter });
  const options = {
    rp: { id: 'localhost', name: 'Latchkey' },
    user: { id: handleOf(username), name: username, displayName: username },
    challenge: '',
    pubKeyCredParams: [],
  };
  await authenticator.create(options, {
    key: createPrivateKey({ key: Buffer.from(key, 'base64url'), format: 'der', type: 'pkcs8' }),
    credentialId: digest('sha256', `credential of ${username}`),
  });
  return authenticator;
}
