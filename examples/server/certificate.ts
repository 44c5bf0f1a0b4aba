import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContextOptions } from 'node:tls';
import { ConfigurationError } from 'latchkey';

/** Paths of PEM files. */
export interface CertificateFiles {
  certificate: string;
  key: string;
}

/** A certificate and its key, as read from their files. */
export interface Certificate {
  files: CertificateFiles;
  context: SecureContextOptions & { cert: Buffer; key: Buffer };
  leaf: X509Certificate;
}

const expectedCertificate =
  'the path of a PEM file that contains the certificate and, after it, the certificates of its issuers';
const expectedKey = 'the path of a PEM file with the private key of TLS_CERTIFICATE, without a passphrase';

/**
 * Reads TLS_CERTIFICATE and TLS_KEY. If both are missing, returns null, and the server serves plain http.
 *
 * @throws ConfigurationError
 */
export function readCertificateSetting(env: NodeJS.ProcessEnv): Certificate | null {
  const certificate = env.TLS_CERTIFICATE?.trim();
  const key = env.TLS_KEY?.trim();
  if (!certificate && !key) return null;
  if (!certificate) throw fault('TLS_CERTIFICATE', undefined, expectedCertificate, 'TLS_KEY is given');
  if (!key) throw fault('TLS_KEY', undefined, expectedKey, 'TLS_CERTIFICATE is given');
  return readCertificate({ certificate, key });
}

/** Reads both files and checks that they match. @throws ConfigurationError that names the variable and the problem */
export function readCertificate(files: CertificateFiles): Certificate {
  const cert = readPem('TLS_CERTIFICATE', files.certificate, expectedCertificate);
  const key = readPem('TLS_KEY', files.key, expectedKey);
  const leaf = parseCertificate(files.certificate, cert);
  if (!leaf.checkPrivateKey(parseKey(files.key, key))) {
    const why = `it does not belong to the first certificate in ${files.certificate}`;
    throw fault('TLS_KEY', files.key, expectedKey, why);
  }
  const context = { cert, key, minVersion: 'TLSv1.2' } as const;
  try {
    createSecureContext(context);
  } catch (error) {
    throw fault('TLS_CERTIFICATE', files.certificate, expectedCertificate, reasonOf(error));
  }
  return { files, context, leaf };
}

/** The reasons why browsers will reject the certificate. Empty if they will accept it. */
export function complaintsOf({ leaf }: Certificate, host: string, now = new Date()): string[] {
  const complaints: string[] = [];
  if (now > new Date(leaf.validTo)) complaints.push(`it expired on ${leaf.validTo}`);
  if (now < new Date(leaf.validFrom)) complaints.push(`it is not valid before ${leaf.validFrom}`);
  if (!leaf.checkHost(host)) complaints.push(`it is not for ${host}`);
  return complaints;
}

function readPem(variable: string, path: string, expected: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw fault(variable, path, expected, whyUnreadable(error));
  }
}

function whyUnreadable(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'the file does not exist';
  if (code === 'EACCES') return `user ${process.getuid?.() ?? ''} has no permission to read it`;
  if (code === 'EISDIR') return 'it is a directory';
  return reasonOf(error);
}

function parseCertificate(path: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw fault('TLS_CERTIFICATE', path, expectedCertificate, 'it contains no certificate');
  }
}

function parseKey(path: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // All encrypted keys contain this word, both in the RFC 1421 format and in the PKCS #8 format.
    const isEncrypted = pem.includes('ENCRYPTED');
    const why = isEncrypted ? 'it has a passphrase' : 'it contains no private key';
    throw fault('TLS_KEY', path, expectedKey, why);
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : `${error}`);

function fault(setting: string, path: string | undefined, expected: string, why: string) {
  const given = path === undefined ? 'nothing' : JSON.stringify(path);
  return new ConfigurationError([{ setting, given, expected: `${expected} (${why})` }]);
}
