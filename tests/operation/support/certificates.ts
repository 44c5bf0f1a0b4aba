import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A self-signed certificate and its key as PEM files. */
export interface MadeCertificate {
  certificate: string;
  key: string;
  /** The text of the certificate, for clients that must trust the certificate. */
  pem: string;
}

/** @param name the name of the files without the extension */
export function makeCertificate(
  folder: string,
  name: string,
  { host = 'example.com', days = 30 } = {},
): MadeCertificate {
  const certificate = join(folder, `${name}.pem`);
  const key = join(folder, `${name}.key`);
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  const content = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-days', `${days}`];
  execFileSync('openssl', [...request, ...files, ...content], { stdio: 'pipe' });
  return { certificate, key, pem: readFileSync(certificate, 'utf8') };
}
