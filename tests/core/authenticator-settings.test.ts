import { type AuthServiceOptions, ConfigurationError, readConfiguration } from 'latchkey';
import { createAttestationAuthority } from 'latchkey/testing';
import { describe, expect, test } from 'vitest';

const { certificate } = createAttestationAuthority();
const direct = { attestation: 'direct', authenticatorMetadata: 'metadata.jwt' } as const;

function faultsOf(options: AuthServiceOptions, env: Record<string, string> = {}): string[] {
  try {
    readConfiguration({ database: {}, env: { JWT_SECRET: 'a1b2c3d4e5f6'.repeat(5), ...env }, ...options });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return error.faults.map(({ setting, given }) => `${setting}: ${given}`);
  }
}

describe('the options about authenticators', () => {
  test.each<[string, AuthServiceOptions, string]>([
    ['an unknown preference', { attestation: 'always' as never }, 'attestation: "always"'],
    ['an unknown name', { authenticators: { alow: [] } as never }, 'authenticators.alow: an unknown option'],
    [
      'an unknown role',
      { authenticators: { roles: { user: {} } as never } },
      'authenticators.roles.user: an unknown option',
    ],
    [
      'an undefined list',
      { authenticators: { allow: undefined } as never },
      'authenticators.allow: undefined',
    ],
    ['an empty list', { authenticators: { allow: [] } }, 'authenticators.allow: []'],
    [
      'a name instead of an AAGUID',
      { authenticators: { deny: ['YubiKey'] } },
      'authenticators.deny: ["YubiKey"]',
    ],
    [
      'an undefined requirement of a role',
      { authenticators: { roles: { admin: undefined } } as never },
      'authenticators.roles.admin: undefined',
    ],
    [
      'an undefined switch',
      { authenticators: { deviceBound: undefined } as never },
      'authenticators.deviceBound: undefined',
    ],
    [
      'an undefined function',
      { authenticators: { decide: undefined } as never },
      'authenticators.decide: undefined',
    ],
    [
      'an unknown certification',
      { ...direct, authenticators: { certified: 'L9' as never } },
      'authenticators.certified: "L9"',
    ],
    [
      'a requirement without attestation',
      { authenticators: { requireAttestation: true } },
      'attestation: none',
    ],
    [
      'a certification without metadata',
      { attestation: 'direct', authenticators: { certified: 'L1' } },
      'authenticatorMetadata: nothing',
    ],
    [
      'metadata without https',
      { authenticatorMetadata: 'http://mds.example/' },
      'authenticatorMetadata: (19 characters, not shown)',
    ],
    [
      'a certificate that is none',
      { authenticatorRoots: 'MIIB' },
      'authenticatorRoots: a value that is not a certificate',
    ],
    [
      'one certificate that is none',
      { authenticatorMetadataRoots: [certificate, 'MIIB'] },
      'authenticatorMetadataRoots: a value that is not a certificate',
    ],
    ['no certificate', { authenticatorRoots: [] }, 'authenticatorRoots: an empty list'],
  ])('reject %s', (_, options, fault) => {
    expect(faultsOf(options)).toContain(fault);
  });

  test('accept a complete policy, also from the environment', () => {
    const authenticators = {
      allow: ['EE882879-721c-4913-9775-3dfcce97072a'],
      requireAttestation: true,
      roles: { superadmin: { certified: 'L2', deviceBound: true } },
      checkSignIns: true,
      decide: () => null,
    } as const;
    const roots = { authenticatorRoots: certificate, authenticatorMetadataRoots: [certificate] };
    expect(faultsOf({ ...direct, ...roots, authenticators })).toEqual([]);
    const env = { WEBAUTHN_ATTESTATION: 'direct', AUTHENTICATOR_METADATA: 'https://mds3.fidoalliance.org/' };
    expect(faultsOf({ authenticators }, env)).toEqual([]);
  });
});
