import type { AuthService, CapabilityTable } from 'latchkey';

/** Capabilities that an application adds to those of the service. */
export const fileCapabilities = {
  user: {
    'file:read': ['own', 'joined'],
    'file:create': ['own', 'joined'],
    'file:manage': ['own', 'managed'],
  },
  superadmin: { 'file:read': 'any', 'file:create': 'any', 'file:manage': 'any' },
} as const satisfies CapabilityTable<string>;

/** A service that was started with `fileCapabilities`. */
export const withFiles = (auth: AuthService<never>) =>
  auth as AuthService<keyof typeof fileCapabilities.user>;
