import { createHash, X509Certificate } from 'node:crypto';
import type { CBORType } from '@levischuck/tiny-cbor';
import { AttestationError } from './attestation-error.ts';

/** Genuine attestations have fewer and smaller certificates. */
const maxCertificates = 8;
const maxCertificateBytes = 16 * 1024;

/**
 * Returns the certificates of an attestation statement: the certificate of the authenticator, then those of the
 * authorities that issued it. Empty: the statement has none.
 *
 * All certificates but the first must belong to authorities (`ca`). SimpleWebAuthn does not check this. Without the
 * check, the key of a genuine authenticator could sign the certificate of an invented one. Apps on Android can use such
 * keys.
 *
 * @throws AttestationError
 */
export function certificatesIn(
  fmt: string,
  statement: ReadonlyMap<string | number, CBORType>,
): readonly X509Certificate[] {
  const given = fmt === 'android-safetynet' ? inSafetyNet(statement.get('response')) : statement.get('x5c');
  if (given === undefined) return [];
  if (!Array.isArray(given) || given.length === 0 || given.length > maxCertificates)
    throw new AttestationError('attestation_malformed');
  const certificates = given.map(parse);
  if (!certificates.slice(1).every(({ ca }) => ca)) throw new AttestationError('attestation_untrusted');
  return certificates;
}

function parse(der: unknown): X509Certificate {
  if (!(der instanceof Uint8Array) || der.length > maxCertificateBytes)
    throw new AttestationError('attestation_malformed');
  try {
    return parseCertificate(der);
  } catch (error) {
    throw new AttestationError('attestation_malformed', error);
  }
}

/**
 * Parses one certificate. Node.js also accepts PEM, and bytes before and after it. SimpleWebAuthn would read another
 * certificate in the same bytes.
 *
 * @throws Error if the bytes are not exactly one certificate in DER
 */
export function parseCertificate(der: Uint8Array): X509Certificate {
  const certificate = new X509Certificate(der);
  if (!certificate.raw.equals(der)) throw new TypeError('not exactly one certificate in DER');
  return certificate;
}

function inSafetyNet(response: CBORType | undefined): unknown {
  try {
    return certificatesOfJws(Buffer.from(response as Uint8Array).toString('utf8'));
  } catch (error) {
    throw new AttestationError('attestation_malformed', error);
  }
}

/**
 * The certificates in the header of a JWS. SimpleWebAuthn decodes the same header again, with another decoder of base64.
 * So this function accepts only text that all decoders read in the same way. Otherwise, the service could trust
 * certificates that SimpleWebAuthn does not see.
 *
 * @throws Error if the header has another form
 */
export function certificatesOfJws(jws: string): Uint8Array[] {
  const [header] = jws.split('.');
  const { x5c } = JSON.parse(decodeCanonical(header, 'base64url').toString('utf8'));
  return x5c.map((text: unknown) => Uint8Array.from(decodeCanonical(text, 'base64')));
}

/** Decodes text that is exactly the encoding of its bytes. @throws TypeError */
function decodeCanonical(text: unknown, encoding: 'base64' | 'base64url'): Buffer {
  const bytes = typeof text === 'string' ? Buffer.from(text, encoding) : null;
  if (bytes === null || bytes.toString(encoding) !== text) throw new TypeError(`not canonical ${encoding}`);
  return bytes;
}

/**
 * The key identifier of the certificate of a U2F authenticator, as the metadata writes it (RFC 5280, 4.2.1.2, method 1).
 * Every U2F authenticator has a P-256 key, whose point is the last 65 bytes.
 */
export function keyIdentifierOf({ publicKey }: X509Certificate): string {
  const point = publicKey.export({ format: 'der', type: 'spki' }).subarray(-65);
  return createHash('sha1').update(point).digest('hex');
}
