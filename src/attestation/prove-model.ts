import { X509Certificate } from 'node:crypto';
import type { CBORType } from '@levischuck/tiny-cbor';
import type { MetadataStatement } from '@simplewebauthn/server';
import type { AuthenticatorMetadata, AuthenticatorModel } from '../core/authenticator-metadata.ts';
import type { CertificationLevel } from '../core/authenticator-policy.ts';
import type { AuthenticatorSettings } from '../core/config-authenticators.ts';
import { AttestationError } from './attestation-error.ts';
import { certificatesIn, keyIdentifierOf } from './certificates.ts';
import { attestationLibrary, type Trust, withTrust } from './library.ts';

/** An attestation statement (WebAuthn 8). */
export type AttestationStatement = Map<string | number, CBORType>;

/** What the service stores of the attestation of a new passkey. */
export interface Attestation {
  format: string;
  /** Whether the attestation proves the model. */
  attested: boolean;
  /** The SHA-256 hash of the certificate that the attestation leads to, in hexadecimal. Null: not attested. */
  root: string | null;
  /** The highest FIDO certification of the model at registration. Null: none, unknown or not attested. */
  certification: CertificationLevel | null;
  /** The certificates in base64, only with the preference `enterprise`. They can identify one device. */
  certificates: readonly string[] | null;
  /** The security statuses of the model in the metadata. The service does not store them, because they change. */
  statuses: readonly string[];
}

/** An attestation whose certificates can be trusted. SimpleWebAuthn must still verify the statement. */
export interface TrustedAttestation {
  attestation: Attestation;
  /** The statement to verify, usually without the trusted certificate, because SimpleWebAuthn expects this. */
  statement: AttestationStatement;
  trust: Trust;
}

interface Given {
  fmt: string;
  statement: AttestationStatement;
  /** Empty: the authenticator data contains none. */
  aaguid: string;
}

/**
 * Whether certificates prove the model of an authenticator (WebAuthn 7.1, step 23). Runs before SimpleWebAuthn gets the
 * certificates. Otherwise, SimpleWebAuthn would accept any certificate if it knew no trusted ones, and would download
 * revocation lists from URLs that the caller chooses.
 *
 * @returns null if the service knows no certificates for the model, so that the model stays a claim
 * @throws AttestationError if the certificates are malformed or cannot be trusted
 */
export async function proveModel(
  given: Given,
  settings: AuthenticatorSettings,
  metadata: AuthenticatorMetadata | null,
): Promise<TrustedAttestation | null> {
  const certificates = certificatesIn(given.fmt, given.statement);
  const [leaf] = certificates;
  if (!leaf) return null;
  await metadata?.ready();
  const model =
    given.fmt === 'fido-u2f'
      ? (metadata?.modelWithKey(keyIdentifierOf(leaf)) ?? null)
      : (metadata?.modelOf(given.aaguid) ?? null);
  const anchors = await anchorsFor(given, model, settings);
  if (anchors.length === 0) return null;

  const { toPem } = await attestationLibrary();
  const chain = certificates.map((certificate) => toPem(Uint8Array.from(certificate.raw)));
  const { anchor, path } = await findPath(chain, anchors);
  const root = new X509Certificate(anchor);
  return {
    attestation: {
      format: given.fmt,
      attested: true,
      root: root.fingerprint256.replaceAll(':', '').toLowerCase(),
      certification: model?.certification ?? null,
      statuses: model?.statuses ?? [],
      certificates:
        settings.attestation === 'enterprise' ? certificates.map(({ raw }) => raw.toString('base64')) : null,
    },
    ...forLibrary(given, path, anchor, model),
  };
}

/**
 * The certificates that can prove the model. If the metadata contains the model, only the certificates of this model:
 * otherwise, any manufacturer could attest it.
 */
async function anchorsFor(
  { fmt, aaguid }: Given,
  model: AuthenticatorModel | null,
  { roots }: AuthenticatorSettings,
): Promise<readonly string[]> {
  const { builtInRoots, toPem } = await attestationLibrary();
  const inOneForm = (certificates: readonly string[]) =>
    certificates.map((pem) => toPem(Uint8Array.from(new X509Certificate(pem).raw)));
  if (model !== null) return inOneForm(model.roots);
  const platform = platforms.find((each) => each.fmt === fmt && each.models.includes(aaguid));
  return inOneForm([...roots, ...(platform ? builtInRoots(platform.fmt) : [])]);
}

/**
 * The AAGUIDs that the certificates in SimpleWebAuthn prove. Every app on Android can create an `android-key` attestation
 * with any AAGUID, so these certificates must not prove other models.
 */
const platforms: readonly {
  fmt: 'android-key' | 'android-safetynet' | 'apple';
  models: readonly string[];
}[] = [
  { fmt: 'android-key', models: ['b93fd961-f2e6-462f-b122-82002247de78'] },
  { fmt: 'android-safetynet', models: ['b93fd961-f2e6-462f-b122-82002247de78'] },
  {
    fmt: 'apple',
    models: ['f24a8e70-d0d3-f82c-2937-32523cc4de5a', 'dd4ec289-e01d-41c9-bb89-70fa845d4bf2'],
  },
];

interface Path {
  anchor: string;
  /** The certificates below the anchor. The anchor itself if it is the certificate of the authenticator. */
  path: readonly string[];
}

/** Finds the trusted certificate that the chain leads to. SimpleWebAuthn checks signatures, times and revocation. */
async function findPath(chain: readonly string[], anchors: readonly string[]): Promise<Path> {
  const { validateCertificatePath } = await attestationLibrary();
  let failure: unknown;
  for (const anchor of anchors) {
    const at = chain.indexOf(anchor);
    // The metadata of some models contains the certificate of the authenticator instead of an authority.
    if (at === 0 && chain.length === 1) {
      if (isValidNow(anchor)) return { anchor, path: chain };
      continue;
    }
    const path = at === -1 ? chain : chain.slice(0, at);
    if (path.length === 0) continue;
    try {
      await withTrust({ roots: [anchor] }, () => validateCertificatePath([...path], [anchor]));
      return { anchor, path };
    } catch (error) {
      failure = error;
    }
  }
  throw new AttestationError('attestation_untrusted', failure);
}

function isValidNow(pem: string): boolean {
  const { validFrom, validTo } = new X509Certificate(pem);
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

/** Prepares the statement for SimpleWebAuthn, which expects a different chain in each format. */
function forLibrary(
  { fmt, statement }: Given,
  path: readonly string[],
  anchor: string,
  model: AuthenticatorModel | null,
): Pick<TrustedAttestation, 'statement' | 'trust'> {
  // The certificates are inside of the signed response. Their path was already validated.
  if (fmt === 'android-safetynet') return { statement, trust: { roots: [] } };
  const isAndroid = fmt === 'android-key';
  const der = (pem: string) => Uint8Array.from(new X509Certificate(pem).raw);
  const chain = isAndroid && path[0] !== anchor ? [...path, anchor] : path;
  const isSelfReferencing = path[0] === anchor;
  const usesStatement = fmt === 'packed' || fmt === 'tpm';
  return {
    statement: new Map(statement).set('x5c', chain.map(der)),
    trust: {
      roots: isSelfReferencing ? [] : [anchor],
      statement: usesStatement && model ? withOnlyRoot(model.statement, anchor) : undefined,
    },
  };
}

/**
 * SimpleWebAuthn compares the chain with the certificates of the statement again, but cannot read certificates with line
 * breaks, as in the metadata of the FIDO Alliance. So it gets only the certificate that the chain leads to.
 */
const withOnlyRoot = (statement: unknown, anchor: string): MetadataStatement => ({
  ...(statement as MetadataStatement),
  attestationRootCertificates: [new X509Certificate(anchor).raw.toString('base64')],
});
