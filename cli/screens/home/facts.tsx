import { Box } from 'ink';
import type { Overview, SchemaState } from 'latchkey';
import type { ReactNode } from 'react';
import { bootstrapReasonOf } from '../../bootstrap-reason.ts';
import { Text } from '../../components/text.tsx';
import type { Features } from '../../features.ts';

const counted = (count: number, one: string, many = `${one}s`) => `${count} ${count === 1 ? one : many}`;

export function Facts({
  database,
  schema,
  overview,
  features,
  isReachable,
}: {
  database: string;
  schema: SchemaState;
  overview: Overview | undefined;
  features: Features;
  /** Undefined until the first result. */
  isReachable: boolean | undefined;
}): ReactNode {
  return (
    <Box flexDirection="column" flexShrink={0}>
      <Fact name="Database" isOk={isReachable}>
        {isReachable === false ? `${database} is unreachable` : database}
      </Fact>
      <Fact name="Schema" isOk={schema.pending.length === 0 && schema.problem === null}>
        {describeSchema(schema)}
      </Fact>
      {overview && (
        <>
          <Fact name="Superadmins" isOk={bootstrapReasonOf(overview) === null}>
            {describeSuperadmins(overview)}
          </Fact>
          <Fact name="Users">{String(overview.users)}</Fact>
          {features.organizations && <Fact name="Organizations">{String(overview.organizations)}</Fact>}
          {features.invitations && <Fact name="Invitations">{overview.pendingInvitations} pending</Fact>}
        </>
      )}
    </Box>
  );
}

function Fact({ name, isOk, children }: { name: string; isOk?: boolean; children: ReactNode }): ReactNode {
  return (
    <Box>
      <Box width={15} flexShrink={0}>
        <Text dimColor>{name}</Text>
      </Box>
      <Text wrap="truncate">
        {isOk === undefined ? '  ' : <Text color={isOk ? 'green' : 'red'}>{isOk ? '✓ ' : '✗ '}</Text>}
        {children}
      </Text>
    </Box>
  );
}

function describeSchema({ applied, pending, newer, problem }: SchemaState): string {
  if (problem)
    return problem === 'newer'
      ? 'newer than this version of Latchkey, not compatible'
      : 'a migration differs from the migration in this package';
  if (newer.length > 0) return `newer than this version of Latchkey, compatible (version ${applied.at(-1)})`;
  return pending.length === 0
    ? `up to date, ${counted(applied.length, 'migration')}`
    : `${counted(pending.length, 'migration')} pending`;
}

function describeSuperadmins({ superadmins }: Overview): string {
  const names = superadmins.map(({ username, status }) =>
    status === 'active' ? username : `${username} (disabled)`,
  );
  return names.length === 0 ? 'none' : names.join(', ');
}
