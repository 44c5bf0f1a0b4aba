import { Box } from 'ink';
import type { Overview, SchemaState } from 'latchkey';
import type { ReactNode } from 'react';
import { Text } from '../../components/text.tsx';
import { openingOf } from '../../opening.ts';

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

/** What there is, a line each. */
export function Facts({
  database,
  schema,
  overview,
  isReachable,
}: {
  database: string;
  schema: SchemaState;
  overview: Overview | undefined;
  /** Undefined until the first answer. */
  isReachable: boolean | undefined;
}): ReactNode {
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Fact name="Database" isWell={isReachable}>
        {isReachable === false ? `${database} is unreachable` : database}
      </Fact>
      <Fact name="Schema" isWell={schema.pending.length === 0 && schema.problem === null}>
        {schemaWords(schema)}
      </Fact>
      {overview && (
        <>
          <Fact name="Superadmins" isWell={openingOf(overview) === null}>
            {superadminWords(overview)}
          </Fact>
          <Fact name="People">{String(overview.users)}</Fact>
          <Fact name="Organizations">{String(overview.organizations)}</Fact>
          <Fact name="Invitations">{overview.pendingInvitations} pending</Fact>
        </>
      )}
    </Box>
  );
}

function Fact({
  name,
  isWell,
  children,
}: {
  name: string;
  isWell?: boolean;
  children: ReactNode;
}): ReactNode {
  return (
    <Box>
      <Box width={15} flexShrink={0}>
        <Text dimColor>{name}</Text>
      </Box>
      <Text wrap="truncate">
        {isWell === undefined ? '  ' : <Text color={isWell ? 'green' : 'red'}>{isWell ? '✓ ' : '✗ '}</Text>}
        {children}
      </Text>
    </Box>
  );
}

function schemaWords({ applied, pending, problem }: SchemaState): string {
  if (problem) return problem === 'newer' ? 'newer than this program' : 'edited after it ran';
  return pending.length === 0
    ? `current, ${counted(applied.length, 'migration')}`
    : `${counted(pending.length, 'migration')} waiting`;
}

function superadminWords({ superadmins }: Overview): string {
  const names = superadmins.map(({ username, status }) =>
    status === 'active' ? username : `${username} (disabled)`,
  );
  return names.length === 0 ? 'none' : names.join(', ');
}
