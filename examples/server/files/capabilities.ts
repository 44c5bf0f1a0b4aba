import type { AuthService, CapabilityTable } from 'latchkey';

/** What users can do with files, added to Latchkey's own capabilities. */
export const fileCapabilities = {
  user: {
    'file:read': ['own', 'joined'],
    'file:create': ['own', 'joined'],
    'file:manage': ['own', 'managed'],
  },
  superadmin: { 'file:read': 'any', 'file:create': 'any', 'file:manage': 'any' },
} as const satisfies CapabilityTable<string>;

export type FileCapability = keyof (typeof fileCapabilities)['user'];

/** The service, with the capabilities of the files. */
export type FilesAuthService = AuthService<FileCapability>;
