import { Box } from 'ink';
import type { PendingRecoveryLink, PersonDetails, Session } from 'latchkey';
import type { ReactNode } from 'react';
import { type Column, Table } from '../../components/table.tsx';
import { Text } from '../../components/text.tsx';
import { agoWords, dateTime } from '../../words/times.ts';

export const personFactRows = 9;

/** A user's role, ways in and memberships. */
export function PersonFacts({
  person: { user, recoveryLink, memberships },
}: {
  person: PersonDetails;
}): ReactNode {
  const active = user.status === 'active';
  return (
    <Box flexDirection="column" paddingX={1} height={personFactRows} flexShrink={0} overflow="hidden">
      <Fact name="Role">{user.role}</Fact>
      <Fact name="Status" {...(!active && { colour: 'red' })}>
        {active ? '✓ active' : '✗ disabled'}
      </Fact>
      <Fact name="Since">{dateTime(user.createdAt)}</Fact>
      <Fact name="Passkeys" {...(user.passkeyCount === 0 && { colour: 'yellow' })}>
        {user.passkeyCount === 0 ? 'none' : String(user.passkeyCount)}
      </Fact>
      <Fact name="Password">{user.hasPassword ? 'yes' : 'none'}</Fact>
      <Fact name="Codes">
        {user.recoveryCodesRemaining === 0 ? 'none' : `${user.recoveryCodesRemaining} left`}
      </Fact>
      <Fact name="Link" {...(recoveryLink && { colour: 'yellow' })}>
        {recoveryLink ? linkWords(recoveryLink) : 'none'}
      </Fact>
      <Fact name="Member">{membershipWords(memberships)}</Fact>
    </Box>
  );
}

function Fact({ name, colour, children }: { name: string; colour?: string; children: string }): ReactNode {
  return (
    <Box>
      <Box width={11} flexShrink={0}>
        <Text dimColor>{name}</Text>
      </Box>
      <Text wrap="truncate" {...(colour && { color: colour })}>
        {children}
      </Text>
    </Box>
  );
}

function linkWords({ createdBy, usedAt, usableAt, expiresAt }: PendingRecoveryLink): string {
  const maker = `recovery link by ${createdBy?.username ?? 'an operator'}`;
  return usedAt === null
    ? `${maker}, usable from ${dateTime(usableAt)} to ${dateTime(expiresAt)}`
    : `${maker}, in use since ${dateTime(usedAt)}`;
}

function membershipWords(memberships: PersonDetails['memberships']): string {
  if (memberships.length === 0) return 'of no organization';
  const admin = memberships.filter(({ role }) => role === 'admin').length;
  const count = `of ${memberships.length} ${memberships.length === 1 ? 'organization' : 'organizations'}`;
  return admin === 0 ? count : `${count}, admin of ${admin}`;
}

const sessionColumns = (now: Date): Column<Session>[] => [
  { title: 'Session seen', width: 14, cell: ({ lastSeenAt }) => agoWords(lastSeenAt, now) },
  { title: 'By', width: 17, cell: ({ method }) => method.replaceAll('_', ' ') },
  { title: 'From', width: 15, from: 62, cell: ({ ip }) => ip ?? '' },
  { title: 'With', from: 78, cell: ({ userAgent }) => userAgent ?? '' },
  { title: 'Until', width: 16, from: 100, cell: ({ expiresAt }) => dateTime(expiresAt) },
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
    empty="No session is alive."
  />
);
