import { Box } from 'ink';
import type { PendingRecoveryLink, Session, UserDetails } from 'latchkey';
import type { ReactNode } from 'react';
import { type Column, Table } from '../../components/table.tsx';
import { Text } from '../../components/text.tsx';
import type { Features } from '../../features.ts';
import { dateTime, timeAgo } from '../../words/times.ts';

/** The height of the facts above the sessions. */
export const userFactRows = ({ organizations }: Features): number => (organizations ? 10 : 9);

/** Role, sign-in methods and memberships of a user. */
export function UserFacts({
  details: { user, recoveryLink, memberships },
  features,
  now,
}: {
  details: UserDetails;
  features: Features;
  now: Date;
}): ReactNode {
  const active = user.status === 'active';
  return (
    <Box flexDirection="column" paddingX={1} height={userFactRows(features)} flexShrink={0} overflow="hidden">
      <Fact name="Role">{user.role}</Fact>
      <Fact name="Status" {...(!active && { color: 'red' })}>
        {active ? '✓ active' : '✗ disabled'}
      </Fact>
      <Fact name="Created">{dateTime(user.createdAt)}</Fact>
      <Fact name="Passkeys" {...(user.passkeyCount === 0 && { color: 'yellow' })}>
        {user.passkeyCount === 0 ? 'none' : String(user.passkeyCount)}
      </Fact>
      <Fact name="Password">{user.hasPassword ? 'yes' : 'none'}</Fact>
      <Fact name="Recovery codes">
        {user.recoveryCodesRemaining === 0 ? 'none' : `${user.recoveryCodesRemaining} left`}
      </Fact>
      <Fact name="Recovery link" {...(recoveryLink && { color: 'yellow' })}>
        {recoveryLink ? describeLink(recoveryLink, now) : 'none'}
      </Fact>
      {features.organizations && <Fact name="Organizations">{describeMemberships(memberships)}</Fact>}
      <Box paddingTop={1}>
        <Text bold>Sessions</Text>
      </Box>
    </Box>
  );
}

function Fact({ name, color, children }: { name: string; color?: string; children: string }): ReactNode {
  return (
    <Box>
      <Box width={16} flexShrink={0}>
        <Text dimColor>{name}</Text>
      </Box>
      <Text wrap="truncate" {...(color && { color: color })}>
        {children}
      </Text>
    </Box>
  );
}

function describeLink({ createdBy, usedAt, usableAt, expiresAt }: PendingRecoveryLink, now: Date): string {
  const creator = `created by ${createdBy?.username ?? 'an operator'}`;
  if (usedAt !== null) return `${creator}, in use since ${dateTime(usedAt)}`;
  return Date.parse(usableAt) > now.getTime()
    ? `${creator}, usable from ${dateTime(usableAt)}`
    : `${creator}, expires ${dateTime(expiresAt)}`;
}

function describeMemberships(memberships: UserDetails['memberships']): string {
  if (memberships.length === 0) return 'none';
  const admin = memberships.filter(({ role }) => role === 'admin').length;
  return admin === 0 ? `${memberships.length}` : `${memberships.length} (organization admin in ${admin})`;
}

const sessionColumns = (now: Date): Column<Session>[] => [
  { title: 'Last seen', width: 14, cell: ({ lastSeenAt }) => timeAgo(lastSeenAt, now) },
  { title: 'Method', width: 17, cell: ({ method }) => method.replaceAll('_', ' ') },
  { title: 'IP address', width: 15, from: 62, cell: ({ ip }) => ip ?? '' },
  { title: 'Browser', from: 78, cell: ({ userAgent }) => userAgent ?? '' },
  { title: 'Expires', width: 16, from: 100, cell: ({ expiresAt }) => dateTime(expiresAt) },
];

export const Sessions = ({
  sessions,
  now,
  width,
  height,
}: {
  sessions: Session[];
  now: Date;
  width: number;
  height: number;
}): ReactNode => (
  <Table
    columns={sessionColumns(now)}
    rows={sessions}
    keyOf={({ id }) => id}
    selected={-1}
    width={width}
    height={height}
    empty="No sessions. A session starts when the user signs in."
  />
);
