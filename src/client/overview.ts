import { expectParts, type Send, withQuery } from './requests.ts';

/** Sign-ins and refusals of a part of the period. */
export interface SignInCounts {
  /** Successful sign-ins with a passkey, a password, a recovery code or a recovery link. */
  signIns: number;
  /** Refused sign-ins. Every refusal of a burst counts. */
  refusals: number;
}

/** The figures of the service for administrators. All times are RFC 3339. */
export interface ServiceOverview {
  period: '24h' | '7d' | '30d' | '90d';
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
    /** The counts of the previous period. */
    previous: SignInCounts;
    methods: (SignInCounts & { method: 'passkey' | 'password' | 'recovery_code' | 'recovery_link' })[];
    /** One item for each hour (`24h`) or each day in the time zone, oldest first. */
    buckets: (SignInCounts & { start: string })[];
  };
  /** Different users who signed in or signed up. Days are in UTC. */
  activeUsers: { count: number; previous: number };
  users: {
    /** The time when the accounts were counted. With many accounts, this can be an hour ago. */
    asOf: string;
    /** All accounts that are not deleted. */
    total: number;
    disabled: number;
    /** Accounts created in the period of the same length before `asOf`, and in the period before that. */
    created: { count: number; previous: number };
    /** This and the next three count only enabled accounts. To get a share, divide by `total - disabled`. */
    withPasskey: number;
    withTwoPasskeys: number;
    withRecoveryCodes: number;
    withOnlyPassword: number;
  };
  pendingInvitations: { admin: number; user: number; organization: number };
  /** What needs attention, the most urgent first. Contains only kinds that occur. */
  attention: {
    kind:
      | 'only_superadmin'
      | 'superadmins_with_fewer_than_two_passkeys'
      | 'superadmins_without_recovery_codes'
      | 'admins_without_passkey'
      | 'users_without_way_in'
      | 'users_without_passkey';
    count: number;
  }[];
}

/** The figures of the service, for callers who can read the whole audit log. */
export interface OverviewClient {
  /**
   * Returns sign-ins, active users, the number of accounts and what needs attention.
   *
   * @param options.period default: `7d`
   * @param options.timeZone the time zone of the days; default: `UTC`
   * @throws AuthClientError `forbidden` | `passkey_required` | `invalid_request` for an unknown time zone
   * @example
   * const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
   * const { signIns, users } = await auth.overview.get({ period: '30d', timeZone });
   */
  get(
    options?: { period?: ServiceOverview['period'] | undefined; timeZone?: string | undefined },
    request?: { signal?: AbortSignal },
  ): Promise<ServiceOverview>;
}

export const overviewClient = (send: Send): OverviewClient => ({
  async get(options = {}, { signal } = {}) {
    const answer = await send('GET', withQuery('/admin/overview', options), { signal });
    return expectParts<ServiceOverview>(answer, 'signIns', 'activeUsers', 'users');
  },
});
