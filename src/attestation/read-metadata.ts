import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MetadataBLOBPayloadEntry } from '@simplewebauthn/server';
import type { AuthenticatorModel } from '../core/authenticator-metadata.ts';
import { type CertificationLevel, certificationLevels } from '../core/authenticator-policy.ts';
import type { AuthenticatorSettings } from '../core/config-authenticators.ts';
import { second } from '../core/duration.ts';
import { certificatesOfJws, parseCertificate } from './certificates.ts';
import { attestationLibrary, withTrust } from './library.ts';

/** Verified metadata. */
export interface ReadMetadata {
  number: number;
  nextUpdate: string;
  byAaguid: ReadonlyMap<string, AuthenticatorModel>;
  /** U2F authenticators, by the key identifiers of their attestation certificates. */
  byKeyIdentifier: ReadonlyMap<string, AuthenticatorModel>;
}

/** The metadata of the FIDO Alliance has about 10 MiB. */
const maxBytes = 64 * 1024 * 1024;
const timeoutMs = 60 * second;
/** The name in the certificate that signs the metadata of the FIDO Alliance. */
const publisher = 'mds.fidoalliance.org';

/** The statuses after which a model is not secure anymore (FIDO Metadata Service 3.1.4). */
const badStatuses: readonly string[] = [
  'REVOKED',
  'USER_VERIFICATION_BYPASS',
  'ATTESTATION_KEY_COMPROMISE',
  'USER_KEY_REMOTE_COMPROMISE',
  'USER_KEY_PHYSICAL_COMPROMISE',
];

/** Reads the metadata from its file or URL, and verifies its signature. @throws Error if it cannot be trusted */
export async function readMetadata(
  source: string,
  metadataRoots: AuthenticatorSettings['metadataRoots'],
  signal: AbortSignal,
): Promise<ReadMetadata> {
  const blob = /^https?:\/\//i.test(source) ? await download(source, signal) : await readFile(source, 'utf8');
  const [leaf, ...issuers] = certificatesOfJws(blob.trim()).map(parseCertificate);
  // SimpleWebAuthn does not check this. Without the check, everyone with a certificate of a trusted authority could sign.
  if (!issuers.every(({ ca }) => ca))
    throw new Error('a certificate of the metadata is signed with one that is no authority');
  const { verifyMDSBlob, builtInRoots } = await attestationLibrary();
  const { payload } = await withTrust({ roots: metadataRoots ?? builtInRoots('mds') }, () =>
    verifyMDSBlob(blob.trim()),
  );
  // The built-in certificates belong to a public authority, which also issues certificates to other publishers.
  if (metadataRoots === null && leaf?.checkHost(publisher) === undefined)
    throw new Error(`the metadata is not signed with a certificate for ${publisher}`);
  const { no, nextUpdate, entries } = payload;
  if (!Number.isSafeInteger(no) || !/^\d{4}-\d\d-\d\d$/.test(`${nextUpdate}`) || !Array.isArray(entries))
    throw new Error('the metadata has no valid number, nextUpdate and entries');
  return { number: no, nextUpdate, ...modelsIn(entries) };
}

/** @throws Error if the answer is an error, too large, or from a redirect without TLS */
async function download(url: string, signal: AbortSignal): Promise<string> {
  const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  if (!answer.ok || answer.body === null) throw new Error(`the server answered ${answer.status}`);
  if (new URL(url).protocol === 'https:' && new URL(answer.url).protocol !== 'https:')
    throw new Error('the server redirected to a URL without https');
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function modelsIn(
  entries: readonly MetadataBLOBPayloadEntry[],
): Pick<ReadMetadata, 'byAaguid' | 'byKeyIdentifier'> {
  const byAaguid = new Map<string, AuthenticatorModel>();
  const byKeyIdentifier = new Map<string, AuthenticatorModel>();
  for (const entry of entries) {
    const model = modelOf(entry);
    if (entry.aaguid) byAaguid.set(entry.aaguid.toLowerCase(), model);
    for (const identifier of entry.attestationCertificateKeyIdentifiers ?? [])
      byKeyIdentifier.set(identifier.toLowerCase(), model);
  }
  return { byAaguid, byKeyIdentifier };
}

function modelOf({ metadataStatement, statusReports = [] }: MetadataBLOBPayloadEntry): AuthenticatorModel {
  const statuses = statusReports.map(({ status }) => `${status}`);
  return {
    name: metadataStatement?.description ?? null,
    statuses: [...new Set(statuses.filter((status) => badStatuses.includes(status)))],
    certification: certificationIn(statuses),
    roots: (metadataStatement?.attestationRootCertificates ?? []).flatMap(certificateIn),
    statement: metadataStatement,
  };
}

/** Returns nothing if the certificate cannot be read, so that the other certificates of the model stay usable. */
function certificateIn(base64: string): [pem: string] | [] {
  try {
    return [new X509Certificate(Buffer.from(base64, 'base64')).toString()];
  } catch {
    return [];
  }
}

/** `FIDO_CERTIFIED` is the earlier name of level 1. */
function certificationIn(statuses: readonly string[]): CertificationLevel | null {
  const levels = statuses.map((status) =>
    status === 'FIDO_CERTIFIED' ? 'L1' : status.replace('FIDO_CERTIFIED_', ''),
  );
  return [...certificationLevels].reverse().find((level) => levels.includes(level)) ?? null;
}
