import type { AuthService, CapabilityTable } from 'latchkey';

/** The capabilities for files, in addition to Latchkey's own capabilities. */
export const fileCapabilities = {
  user: {
    'file:read': ['own', 'joined'],
    'file:create': ['own', 'joined'],
    'file:manage': ['own', 'managed'],
  },
  admin: { 'file:count': 'managed' },
  superadmin: { 'file:count': 'any', 'file:read': 'any', 'file:create': 'any', 'file:manage': 'any' },
} as const satisfies CapabilityTable<string>;

export type FileCapability = keyof (typeof fileCapabilities)['superadmin'];

/** The type of the service, with the capabilities for files. */
export type FilesAuthService = AuthService<FileCapability>;
