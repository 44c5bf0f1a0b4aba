import { describe, expect, test } from 'vitest';
import { obstacleTo, restricts } from '../../src/attestation/rules.ts';
import type {
  AuthenticatorFacts,
  AuthenticatorPolicy,
  AuthenticatorRequirements,
} from '../../src/core/authenticator-policy.ts';
import { readAuthenticators } from '../../src/core/config-authenticators.ts';
import { FaultList } from '../../src/core/config-fault.ts';
import { roles } from '../../src/core/user.ts';

const key = 'ee882879-721c-4913-9775-3dfcce97072a';
const synced = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4';

const facts = (given: Partial<AuthenticatorFacts>): AuthenticatorFacts => ({
  aaguid: key,
  name: null,
  attested: true,
  format: 'packed',
  certification: 'L1',
  statuses: [],
  deviceBound: true,
  transports: ['usb'],
  ...given,
});

const authenticators = {
  'a certified security key': facts({ certification: 'L2' }),
  'an attested security key': facts({ certification: null }),
  'a security key that claims its model': facts({ attested: false, certification: null, format: 'none' }),
  'a synced passkey': facts({
    aaguid: synced,
    attested: false,
    certification: null,
    format: 'none',
    deviceBound: false,
  }),
  'a revoked security key': facts({ statuses: ['REVOKED'] }),
};

const policies: Record<string, AuthenticatorPolicy> = {
  'no policy': {},
  'only security keys for superadmins': { roles: { superadmin: { deviceBound: true } } },
  'certified keys for admins': { roles: { admin: { certified: 'L2' } } },
  'attestation for everyone': { requireAttestation: true },
  'only listed models': { allow: [key] },
  'all but one model': { deny: [synced.toUpperCase()] },
  'a list for everyone, and certification for superadmins': {
    deny: [synced],
    roles: { superadmin: { certified: 'L1', deviceBound: true } },
  },
};

/** The requirements of each role, as the service reads them from the option. */
function requirementsOf(policy: AuthenticatorPolicy) {
  const faults = new FaultList();
  const read = readAuthenticators(faults, {
    attestation: { name: 'attestation', text: 'direct' },
    metadata: { name: 'authenticatorMetadata', text: 'metadata.jwt' },
    roots: undefined,
    metadataRoots: undefined,
    policy,
    production: true,
  });
  expect(faults.faults).toEqual([]);
  return read.requirements;
}

/** For each policy and authenticator: the obstacles for users, admins and superadmins. `-`: allowed. */
const table: Record<string, Record<string, string>> = {
  'no policy': {
    'a certified security key': '- - -',
    'an attested security key': '- - -',
    'a security key that claims its model': '- - -',
    'a synced passkey': '- - -',
  },
  'only security keys for superadmins': {
    'a certified security key': '- - -',
    'an attested security key': '- - -',
    'a security key that claims its model': '- - -',
    'a synced passkey': '- - not_device_bound',
  },
  'certified keys for admins': {
    'a certified security key': '- - -',
    'an attested security key': '- not_certified not_certified',
    'a security key that claims its model': '- not_attested not_attested',
    'a synced passkey': '- not_attested not_attested',
  },
  'attestation for everyone': {
    'a certified security key': '- - -',
    'an attested security key': '- - -',
    'a security key that claims its model': 'not_attested not_attested not_attested',
    'a synced passkey': 'not_attested not_attested not_attested',
  },
  'only listed models': {
    'a certified security key': '- - -',
    'an attested security key': '- - -',
    'a security key that claims its model': '- - -',
    'a synced passkey': 'model_not_allowed model_not_allowed model_not_allowed',
  },
  'all but one model': {
    'a certified security key': '- - -',
    'an attested security key': '- - -',
    'a security key that claims its model': '- - -',
    'a synced passkey': 'model_denied model_denied model_denied',
  },
  'a list for everyone, and certification for superadmins': {
    'a certified security key': '- - -',
    'an attested security key': '- - not_certified',
    'a security key that claims its model': '- - not_attested',
    'a synced passkey': 'model_denied model_denied model_denied',
  },
};

describe.each(Object.entries(policies))('the policy “%s”', (name, policy) => {
  test.each(Object.entries(authenticators))('decides about %s for each role', (authenticator, given) => {
    const requirements = requirementsOf(policy);
    const found = roles.map((role) => obstacleTo(requirements[role], given) ?? '-').join(' ');
    const revoked = 'model_compromised model_compromised model_compromised';
    expect(found).toBe(table[name]?.[authenticator] ?? revoked);
  });
});

test.each<[AuthenticatorFacts['certification'], AuthenticatorRequirements['certified'], boolean]>([
  ['L1', 'L1', true],
  ['L1plus', 'L1', true],
  ['L1', 'L1plus', false],
  ['L2', 'L2', true],
  ['L2plus', 'L3', false],
  ['L3plus', 'L3', true],
  [null, 'L1', false],
])(
  'an authenticator with the certification %s meets the requirement %s: %s',
  (certification, certified, met) => {
    expect(obstacleTo([{ certified: certified ?? 'L1' }], facts({ certification })) === null).toBe(met);
  },
);

test('requirements without a member restrict nothing', () => {
  expect(restricts([{}, {}])).toBe(false);
  expect(restricts([{}, { deviceBound: true }])).toBe(true);
});
