import { AsyncLocalStorage } from 'node:async_hooks';
import type { MetadataStatement } from '@simplewebauthn/server';
import { second } from '../core/duration.ts';

/** The certificates that one verification trusts, and what the metadata says about the model. */
export interface Trust {
  /** PEM. */
  roots: readonly string[];
  statement?: MetadataStatement | undefined;
}

const trusted = new AsyncLocalStorage<Trust>();

let loading: ReturnType<typeof load> | undefined;

/** Loads SimpleWebAuthn for attestations, on first use. */
export const attestationLibrary = (): ReturnType<typeof load> => {
  loading ??= load();
  return loading;
};

/**
 * SimpleWebAuthn has one set of certificates and one metadata service for the whole process. Two services with different
 * certificates would overwrite each other's certificates, and those of the application. So within `withTrust`, both
 * objects return what this verification trusts. Everywhere else, they return what the application has set.
 */
async function load() {
  const [{ SettingsService, MetadataService }, helpers] = await Promise.all([
    import('@simplewebauthn/server'),
    import('@simplewebauthn/server/helpers'),
  ]);
  const rootsOfProcess = SettingsService.getRootCertificates.bind(SettingsService);
  const statementOfProcess = MetadataService.getStatement.bind(MetadataService);
  SettingsService.getRootCertificates = (options) => {
    const trust = trusted.getStore();
    return trust ? [...trust.roots] : rootsOfProcess(options);
  };
  MetadataService.getStatement = async (aaguid) => {
    const trust = trusted.getStore();
    return trust ? trust.statement : statementOfProcess(aaguid);
  };
  return {
    validateCertificatePath: helpers.validateCertificatePath,
    toPem: helpers.convertCertBufferToPEM,
    verifyMDSBlob: helpers.verifyMDSBlob,
    /** The certificates that SimpleWebAuthn contains for a format. */
    builtInRoots: (identifier: 'android-key' | 'android-safetynet' | 'apple' | 'mds') =>
      rootsOfProcess({ identifier }),
  };
}

/** SimpleWebAuthn downloads revocation lists without a time limit. */
const timeoutMs = 15 * second;

/**
 * Runs a verification of SimpleWebAuthn that trusts only these certificates.
 *
 * @throws Error if it takes longer than 15 seconds
 */
export async function withTrust<Result>(trust: Trust, run: () => Promise<Result>): Promise<Result> {
  await attestationLibrary();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no result within ${timeoutMs / second} s`)), timeoutMs);
  });
  try {
    return await Promise.race([trusted.run(trust, run), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
