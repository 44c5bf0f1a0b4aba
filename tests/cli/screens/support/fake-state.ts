import type { AuditEvent, Invitation, Overview, SchemaState } from 'latchkey';
import type { Check } from '../../../../cli/doctor/check.ts';
import { allFeatures, type Features } from '../../../../cli/features.ts';
import type { FakeUser } from './users.ts';

/** The state of the fake service. */
export interface FakeState {
  users: FakeUser[];
  invitations: Invitation[];
  events: AuditEvent[];
  bootstrap: Overview['bootstrap'];
  checks: Check[];
  schema: SchemaState;
  /** All calls of the fake service with their arguments. */
  calls: [string, ...unknown[]][];
  /** If set, every call rejects with this error. */
  failure: unknown;
  /** If set, every call waits for this promise. */
  gate: Promise<void> | null;
  pageSize: number;
  features: Features;
  /** The expiry of new links. */
  linksExpireAt: string;
}

export const createFakeState = (given: Partial<FakeState> = {}): FakeState => ({
  users: [],
  invitations: [],
  events: [],
  bootstrap: 'done',
  checks: [],
  schema: { applied: [1, 2, 3], pending: [], breaking: [], newer: [], problem: null },
  calls: [],
  failure: null,
  gate: null,
  pageSize: 50,
  features: allFeatures,
  linksExpireAt: '2026-03-01T13:00:00Z',
  ...given,
});

export const invitationOf = (given: Partial<Invitation> & { id: string }): Invitation => ({
  role: 'admin',
  username: given.id,
  status: 'pending',
  createdBy: null,
  createdAt: '2026-03-01T11:00:00Z',
  expiresAt: '2026-03-04T12:00:00Z',
  acceptedBy: null,
  acceptedAt: null,
  ...given,
});

export const eventOf = (given: Partial<AuditEvent> & { id: string }): AuditEvent => ({
  at: '2026-03-01T11:59:00Z',
  event: 'passkey.login',
  outcome: 'success',
  actor: { type: 'user', id: 'u-ada', name: 'ada' },
  impersonator: null,
  target: null,
  organizationId: null,
  ip: '192.0.2.1',
  userAgent: null,
  requestId: null,
  details: {},
  count: 1,
  ...given,
});
