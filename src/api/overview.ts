import * as v from 'valibot';
import type { Runtime } from '../core/runtime.ts';
import { exactly, oneOf } from '../http/input.ts';
import { time } from '../http/resource.ts';
import { readOverview } from '../overview/operations/read-overview.ts';
import { attentionKinds, countedMethods, type ServiceOverview } from '../overview/overview.ts';
import { isTimeZone, overviewPeriods } from '../overview/rules.ts';
import { endpoints } from './endpoint.ts';
import type { Serve } from './serve.ts';

const overviewQuery = exactly({
  period: v.optional(oneOf(overviewPeriods), '7d'),
  timeZone: v.optional(
    v.pipe(
      v.string('expected a single time zone'),
      v.metadata({ description: 'The time zone of the days, such as `Europe/Berlin`.' }),
      v.check(isTimeZone, 'expected the name of a time zone, such as "Europe/Berlin"'),
    ),
    'UTC',
  ),
});

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const described = (text: string) => v.pipe(count, v.description(text));
const signInCounts = {
  signIns: described('Successful sign-ins.'),
  refusals: described('Refused sign-ins.'),
};

export const overviewResource = v.object({
  period: v.picklist(overviewPeriods),
  timeZone: v.string(),
  from: v.pipe(time, v.description('The start of the period.')),
  to: v.pipe(time, v.description('The time of the request, which is the end of the period.')),
  previousFrom: v.pipe(time, v.description('The start of the previous period, which ends at `from`.')),
  isComplete: v.pipe(
    v.boolean(),
    v.description(
      'False: the service still counts earlier events, so the numbers of sign-ins and active users are too low.',
    ),
  ),
  signIns: v.object({
    ...signInCounts,
    previous: v.object(signInCounts),
    methods: v.array(v.object({ method: v.picklist(countedMethods), ...signInCounts })),
    buckets: v.pipe(
      v.array(v.object({ start: time, ...signInCounts })),
      v.description('One item for each hour (`24h`) or each day in the time zone, oldest first.'),
    ),
  }),
  activeUsers: v.pipe(
    v.object({ count, previous: count }),
    v.description('Different users who signed in or signed up. Days are in UTC.'),
  ),
  users: v.object({
    asOf: v.pipe(
      time,
      v.description('The time when the accounts were counted. With many accounts, this can be an hour ago.'),
    ),
    total: described('All accounts that are not deleted.'),
    disabled: count,
    created: v.pipe(
      v.object({ count, previous: count }),
      v.description(
        'Accounts created in the period of the same length before `asOf`, and in the period before that.',
      ),
    ),
    withPasskey: described('Enabled accounts with a passkey.'),
    withTwoPasskeys: described('Enabled accounts with at least two passkeys.'),
    withRecoveryCodes: described('Enabled accounts with at least one usable recovery code.'),
    withOnlyPassword: described('Enabled accounts with a password and without a passkey.'),
  }),
  pendingInvitations: v.object({ admin: count, user: count, organization: count }),
  attention: v.pipe(
    v.array(v.object({ kind: v.picklist(attentionKinds), count })),
    v.description(
      'What needs attention, the most urgent first. Only enabled accounts count. `users_without_way_in`: users who have neither a passkey nor a password nor a usable recovery code.',
    ),
  ),
}) satisfies v.GenericSchema<ServiceOverview>;

export const overviewEndpoints = endpoints({
  getOverview: {
    on: 'GET /admin/overview',
    // Not `fresh`, because the figures name no user.
    access: 'full_session',
    requires: 'overview:read',
    event: 'overview.get',
    budget: 'read',
    summary: 'Get the figures of the service',
    description:
      'A sign-in is a successful `passkey.login`, `password.login`, `recovery_code.use` or `recovery_link.use`. A refusal is a failure of one of these events. Every refusal of a burst counts. A step-up is not a sign-in. Sign-ins are counted by hours in UTC. So in a time zone whose days do not start at a full hour in UTC, a day starts at the next full hour. Active users include users whose accounts were deleted later.',
    query: overviewQuery,
    answers: { 200: overviewResource },
  },
});

export function overviewRoutes(serve: Serve, runtime: Runtime): void {
  serve(overviewEndpoints.getOverview, async (ctx, by, { query }) => {
    ctx.body = await readOverview(runtime, by, query());
  });
}
