import { X509Certificate } from 'node:crypto';
import {
  type AttestationPreference,
  type AuthenticatorPolicy,
  type AuthenticatorRequirements,
  attestationPreferences,
  certificationLevels,
} from './authenticator-policy.ts';
import type { FaultList, Given } from './config-fault.ts';
import { readChoice } from './config-values.ts';
import { refuseUnknown } from './unknown-names.ts';
import type { Role } from './user.ts';

/** The checked options about authenticators. */
export interface AuthenticatorSettings {
  readonly attestation: AttestationPreference;
  /** The file or URL of the metadata. Null: the service has none. */
  readonly metadata: string | null;
  /** The certificates that the signature of the metadata leads to (PEM). Null: those of the FIDO Alliance. */
  readonly metadataRoots: readonly string[] | null;
  /** Further certificates that attestations can lead to (PEM). */
  readonly roots: readonly string[];
  /** What each role requires. */
  readonly requirements: Readonly<Record<Role, readonly AuthenticatorRequirements[]>>;
  readonly checkSignIns: boolean;
  readonly decide: AuthenticatorPolicy['decide'] | null;
}

interface GivenAuthenticators {
  attestation: Given;
  metadata: Given;
  roots: unknown;
  metadataRoots: unknown;
  policy: AuthenticatorPolicy | undefined;
  production: boolean;
}

const requirementNames = [
  'allow',
  'deny',
  'requireAttestation',
  'certified',
  'deviceBound',
] satisfies (keyof AuthenticatorRequirements)[];
const policyNames = [
  ...requirementNames,
  'roles',
  'checkSignIns',
  'decide',
] satisfies (keyof AuthenticatorPolicy)[];

/** Reads the options `attestation`, `authenticators` and those that begin with `authenticator`. */
export function readAuthenticators(faults: FaultList, given: GivenAuthenticators): AuthenticatorSettings {
  const attestation = readChoice(faults, given.attestation, attestationPreferences);
  const metadata = readMetadataSource(faults, given.metadata, given.production);
  const policy = isObject(given.policy) ? given.policy : {};
  refuseUnknown(faults, 'authenticators', policy, policyNames);
  const prove = { attestation: attestation !== 'none', metadata: metadata !== null };
  const base = readRequirements(faults, 'authenticators', policy, prove);
  const ofRoles = readRoles(faults, policy, prove);
  return {
    attestation,
    metadata,
    metadataRoots:
      given.metadataRoots == null
        ? null
        : readRoots(faults, 'authenticatorMetadataRoots', given.metadataRoots),
    roots: given.roots == null ? [] : readRoots(faults, 'authenticatorRoots', given.roots),
    requirements: {
      user: [base],
      admin: [base, ofRoles.admin],
      superadmin: [base, ofRoles.admin, ofRoles.superadmin],
    },
    checkSignIns: readBoolean(faults, 'authenticators', policy, 'checkSignIns'),
    decide: readDecide(faults, policy),
  };
}

/** Which requirements can be checked at all. */
interface Provable {
  attestation: boolean;
  metadata: boolean;
}

function readRoles(faults: FaultList, policy: AuthenticatorPolicy, provable: Provable) {
  const path = 'authenticators.roles';
  const given: unknown = policy.roles;
  if (!isObject(given)) {
    if (Object.hasOwn(policy, 'roles')) faults.addText(path, typeof given, 'an object');
    return { admin: {}, superadmin: {} };
  }
  refuseUnknown(faults, path, given, ['admin', 'superadmin']);
  const read = (role: 'admin' | 'superadmin'): AuthenticatorRequirements => {
    if (!Object.hasOwn(given, role)) return {};
    const ofRole = (given as Record<string, unknown>)[role];
    if (!isObject(ofRole)) {
      faults.addText(`${path}.${role}`, typeof ofRole, 'an object');
      return {};
    }
    refuseUnknown(faults, `${path}.${role}`, ofRole, requirementNames);
    return readRequirements(faults, `${path}.${role}`, ofRole, provable);
  };
  return { admin: read('admin'), superadmin: read('superadmin') };
}

/**
 * An option that is present but undefined is a fault, because a misspelled name in the code would otherwise remove the
 * requirement.
 */
function readRequirements(
  faults: FaultList,
  path: string,
  given: AuthenticatorRequirements,
  provable: Provable,
): AuthenticatorRequirements {
  const allow = readModels(faults, path, given, 'allow');
  const deny = readModels(faults, path, given, 'deny');
  const requireAttestation = readBoolean(faults, path, given, 'requireAttestation');
  const deviceBound = readBoolean(faults, path, given, 'deviceBound');
  const { certified } = given;
  if (Object.hasOwn(given, 'certified') && !certificationLevels.includes(certified as never))
    faults.addText(`${path}.certified`, describe(certified), `one of ${certificationLevels.join(', ')}`);
  if ((requireAttestation || certified !== undefined) && !provable.attestation)
    faults.addText('attestation', 'none', `direct, because ${path} requires attestation`);
  if (certified !== undefined && !provable.metadata)
    faults.addText(
      'authenticatorMetadata',
      'nothing',
      `a file or an https URL, because ${path}.certified compares with the metadata`,
    );
  return {
    ...(allow && { allow }),
    ...(deny && { deny }),
    ...(requireAttestation && { requireAttestation }),
    ...(certified !== undefined && { certified }),
    ...(deviceBound && { deviceBound }),
  };
}

const aaguid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

function readModels(
  faults: FaultList,
  path: string,
  given: AuthenticatorRequirements,
  name: 'allow' | 'deny',
): readonly string[] | undefined {
  if (!Object.hasOwn(given, name)) return undefined;
  const list: unknown = given[name];
  const lower = Array.isArray(list) ? list.map((item) => `${item}`.toLowerCase()) : [];
  if (lower.length > 0 && lower.every((item) => aaguid.test(item))) return lower;
  faults.addText(
    `${path}.${name}`,
    describe(list),
    'a list of AAGUIDs, such as ["ee882879-721c-4913-9775-3dfcce97072a"]',
  );
  return undefined;
}

function readBoolean<Name extends string>(
  faults: FaultList,
  path: string,
  given: { readonly [name in Name]?: boolean },
  name: Name,
): boolean {
  if (!Object.hasOwn(given, name)) return false;
  const value: unknown = given[name];
  if (typeof value !== 'boolean') faults.addText(`${path}.${name}`, describe(value), 'true or false');
  return value === true;
}

function readDecide(faults: FaultList, policy: AuthenticatorPolicy): AuthenticatorPolicy['decide'] | null {
  if (!Object.hasOwn(policy, 'decide')) return null;
  const { decide } = policy;
  if (typeof decide === 'function') return decide;
  faults.addText('authenticators.decide', describe(decide), 'a function');
  return null;
}

/** In development, the metadata can also come from a server on the same machine without https. */
function readMetadataSource(faults: FaultList, { name, text }: Given, production: boolean): string | null {
  if (text === undefined) return null;
  if (!/^[a-z][a-z\d+.-]+:\/\//i.test(text)) return text;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal =
    !production && url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  const isBare = url !== null && `${url.username}${url.password}` === '';
  if (url === null || !isBare || (url.protocol !== 'https:' && !isLocal))
    // The URL can contain credentials.
    faults.addSecret(name, text, 'a file, or an https URL without username and password');
  return text;
}

function readRoots(faults: FaultList, name: string, given: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  const roots = list.map((item) => (typeof item === 'string' ? certificateIn(item) : null));
  const valid = roots.filter((root) => root !== null);
  if (valid.length === 0 || valid.length < roots.length)
    faults.addText(
      name,
      list.length === 0 ? 'an empty list' : 'a value that is not a certificate',
      'one or more certificates, each as PEM text (-----BEGIN CERTIFICATE-----)',
    );
  return valid;
}

function certificateIn(pem: string): string | null {
  try {
    return new X509Certificate(pem).toString();
  } catch {
    return null;
  }
}

const describe = (value: unknown): string =>
  Array.isArray(value)
    ? JSON.stringify(value)
    : typeof value === 'string'
      ? JSON.stringify(value)
      : `${value}`;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
