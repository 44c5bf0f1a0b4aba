import type { OverviewPeriod } from './rules.ts';

/** The ways to sign in that the overview counts. */
export const countedMethods = ['passkey', 'password', 'recovery_code', 'recovery_link'] as const;

export type CountedMethod = (typeof countedMethods)[number];

/** What needs the attention of an administrator, the most urgent first. */
export const attentionKinds = [
  'only_superadmin',
  'superadmins_with_fewer_than_two_passkeys',
  'superadmins_without_recovery_codes',
  'admins_without_passkey',
  'users_without_way_in',
  'users_without_passkey',
] as const;

export type AttentionKind = (typeof attentionKinds)[number];

/** Sign-ins and refusals of a part of the period. */
export interface SignInCounts {
  signIns: number;
  refusals: number;
}

/** The figures of the service for administrators. All times are RFC 3339. */
export interface ServiceOverview {
  period: OverviewPeriod;
  timeZone: string;
  /** The start of the period. */
  from: string;
  /** The time of the request, which is the end of the period. */
  to: string;
  /** The start of the previous period, which ends at `from`. */
  previousFrom: string;
  /** False: the service still counts earlier events, so the numbers of sign-ins and active users are too low. */
  isComplete: boolean;
  signIns: SignInCounts & {
    previous: SignInCounts;
    methods: (SignInCounts & { method: CountedMethod })[];
    /** One item for each hour (24 hours) or each day in the time zone (all other periods), oldest first. */
    buckets: (SignInCounts & { start: string })[];
  };
  activeUsers: { count: number; previous: number };
  users: {
    /** The time when the users were counted. */
    asOf: string;
    total: number;
    disabled: number;
    /** Accounts created in the period of the same length before `asOf`, and in the period before that. */
    created: { count: number; previous: number };
    withPasskey: number;
    withTwoPasskeys: number;
    withRecoveryCodes: number;
    withOnlyPassword: number;
  };
  pendingInvitations: { admin: number; user: number; organization: number };
  /** Contains only kinds that occur. */
  attention: { kind: AttentionKind; count: number }[];
}
