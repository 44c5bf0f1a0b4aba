import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Bytes } from './bytes.ts';
import { extension, type Issued, issueCertificate, nameOf, pemOf, revocationList } from './certificate.ts';
import { der, sequence } from './der.ts';

/** The options of `createAttestationAuthority`. */
export interface AttestationAuthorityOptions {
  /** When the certificates become valid. Default: a day ago. */
  validFrom?: Date;
  /** When the certificates of authenticators expire. Default: in 30 years. */
  validTo?: Date;
  /** The URL of the list of revoked certificates, which the certificates of authenticators contain. Default: none. */
  revocationListUrl?: string;
  /**
   * Whether the certificate that issues those of authenticators may issue certificates. With `false`, it is like the
   * certificate of an authenticator, so services must refuse what it has signed. Default: `true`.
   */
  issuerIsAuthority?: boolean;
}

/** A model in the metadata of an authority. */
export interface TestAuthenticatorModel {
  aaguid: string;
  /** Default: `Test authenticator`. */
  name?: string;
  /** The statuses of the model, such as `FIDO_CERTIFIED_L2` or `REVOKED`. Default: `FIDO_CERTIFIED_L1`. */
  statuses?: readonly string[];
}

/** An authority that issues attestation certificates and signs metadata, for tests. */
export interface AttestationAuthority {
  /** The certificate of the authority (PEM), for `authenticatorRoots` and `authenticatorMetadataRoots`. */
  readonly certificate: string;
  /**
   * Signs metadata that contains the certificate of this authority for each model. Write it to a file for
   * `authenticatorMetadata`.
   *
   * @param options.number the serial number; default: 1
   * @param options.nextUpdate a date such as `2030-01-01`; default: in 30 days
   */
  signMetadata(
    models: readonly TestAuthenticatorModel[],
    options?: { number?: number; nextUpdate?: string },
  ): string;
  /** The list of the revoked certificates (DER). */
  revocationList(): Bytes;
  /** Revokes all certificates that the authority has issued so far. */
  revokeAll(): void;
}

/** What the software authenticator needs of an authority. */
export interface IssuingAuthority extends AttestationAuthority {
  /** Issues the certificate of an authenticator. Returns it with the certificates that lead to the authority. */
  issue(subject: Bytes, privateKey: KeyObject, extensions: readonly Bytes[]): Bytes[];
}

const dayMs = 86_400_000;
const yearMs = 365 * dayMs;

/**
 * Creates an authority for the attestations of software authenticators.
 *
 * @example
 * const authority = createAttestationAuthority();
 * const auth = await createAuthService({ attestation: 'direct', authenticatorRoots: authority.certificate });
 * const key = createSoftwareAuthenticator({ origin, attestation: 'packed', attestationAuthority: authority });
 */
export function createAttestationAuthority(options: AttestationAuthorityOptions = {}): AttestationAuthority {
  const { revocationListUrl } = options;
  const validFrom = options.validFrom ?? new Date(Date.now() - dayMs);
  const validTo = options.validTo ?? new Date(Date.now() + 30 * yearMs);
  const ofAuthority = {
    isAuthority: true,
    validFrom: new Date(0),
    validTo: new Date(Date.now() + 40 * yearMs),
  };
  const root = issueCertificate({
    privateKey: newKey(),
    subject: nameOf(['2.5.4.3', 'Test attestation root'], ['2.5.4.10', 'Latchkey tests']),
    issuer: null,
    ...ofAuthority,
  });
  const intermediate = issueCertificate({
    privateKey: newKey(),
    subject: nameOf(['2.5.4.3', 'Test attestation authority'], ['2.5.4.10', 'Latchkey tests']),
    issuer: root,
    ...ofAuthority,
    isAuthority: options.issuerIsAuthority ?? true,
  });
  const issued: Bytes[] = [];
  const revoked: Bytes[] = [];
  const withList =
    revocationListUrl === undefined
      ? []
      : [
          extension(
            '2.5.29.31',
            sequence(sequence(der(0xa0, der(0xa0, der(0x86, Buffer.from(revocationListUrl)))))),
          ),
        ];
  const authority: IssuingAuthority = {
    certificate: pemOf(root.certificate),
    signMetadata: (models, given = {}) => signMetadata(root, models, given),
    revocationList: () => revocationList(intermediate, revoked, new Date()),
    revokeAll: () => revoked.push(...issued.splice(0)),
    issue(subject, privateKey, extensions) {
      const { certificate } = issueCertificate({
        privateKey,
        subject,
        issuer: intermediate,
        isAuthority: false,
        validFrom,
        validTo,
        extensions: [...extensions, ...withList],
      });
      issued.push(certificate);
      return [certificate, intermediate.certificate];
    },
  };
  return authority;
}

/** FIDO Metadata Service 3, section 3.1.7. */
function signMetadata(
  root: Issued,
  models: readonly TestAuthenticatorModel[],
  { number = 1, nextUpdate = dateIn(30) }: { number?: number; nextUpdate?: string },
): string {
  const signer = issueCertificate({
    privateKey: newKey(),
    subject: nameOf(['2.5.4.3', 'Test metadata']),
    issuer: root,
    isAuthority: false,
    validFrom: new Date(Date.now() - dayMs),
    validTo: new Date(Date.now() + yearMs),
  });
  const header = { alg: 'ES256', typ: 'JWT', x5c: [Buffer.from(signer.certificate).toString('base64')] };
  const payload = {
    legalHeader: 'For tests.',
    no: number,
    nextUpdate,
    entries: models.map(({ aaguid, name = 'Test authenticator', statuses = ['FIDO_CERTIFIED_L1'] }) => ({
      aaguid,
      statusReports: statuses.map((status) => ({ status })),
      timeOfLastStatusChange: dateIn(0),
      metadataStatement: {
        aaguid,
        description: name,
        authenticationAlgorithms: [
          'secp256r1_ecdsa_sha256_raw',
          'rsassa_pkcsv15_sha256_raw',
          'ed25519_eddsa_sha512_raw',
        ],
        attestationTypes: ['basic_full'],
        attestationRootCertificates: [Buffer.from(root.certificate).toString('base64')],
      },
    })),
  };
  const text = [header, payload]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key = { key: signer.privateKey, dsaEncoding: 'ieee-p1363' } as const;
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

export const newKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

const dateIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
