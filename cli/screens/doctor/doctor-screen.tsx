import { Box } from 'ink';
import { type ReactNode, useEffect, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Text } from '../../components/text.tsx';
import type { Check } from '../../doctor/check.ts';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { useSelection } from '../../hooks/selection.ts';
import { useTask } from '../../hooks/task.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { count } from '../../words/count.ts';
import { isBack, type ScreenProps } from '../screen.ts';

const signs = { ok: '✓', warning: '!', error: '✗' };
const labels = { ok: '✓ ok', warning: '! warning', error: '✗ error' };
const colors = { ok: 'green', warning: 'yellow', error: 'red' };

const hints: KeyHint[] = [
  { keys: '↑↓ j k', does: 'move' },
  { keys: 'r', does: 'run again' },
  { keys: 'esc', does: 'back' },
];

const columns: Column<Check>[] = [
  { title: 'Result', width: 9, cell: ({ level }) => labels[level], color: ({ level }) => colors[level] },
  { title: 'Check', width: 18, cell: ({ name }) => name },
  { title: 'Finding', from: 50, cell: ({ message }) => message },
];

const detailRows = 7;

/** The doctor's checks, most severe first. */
export function DoctorScreen({ onBack }: ScreenProps): ReactNode {
  const room = useRoom();
  const { checks, isRunning, runChecks } = useDoctor();
  const selection = useSelection(checks ?? [], ({ name, message }) => `${name} ${message}`, {
    pageRows: room.rows - detailRows - 1,
  });
  useKeys((press) => {
    if (selection.move(press)) return;
    if (press.name === 'r' && !isRunning) runChecks();
    else if (isBack(press.name)) onBack();
  });
  return (
    <Frame title="Doctor" keys={hints}>
      {!checks && isRunning && (
        <Box padding={1}>
          <Text>
            <Spinner /> Running all checks. This can take a few seconds.
          </Text>
        </Box>
      )}
      {checks && (
        <Table
          columns={columns}
          rows={checks}
          keyOf={({ name, message }) => `${name} ${message}`}
          selected={selection.index}
          width={room.columns}
          height={room.rows - detailRows}
          empty="No checks. Press r to run them."
        />
      )}
      {selection.item && <Details check={selection.item} />}
    </Frame>
  );
}

function useDoctor() {
  const context = useCliContext();
  const run = useTask();
  const [checks, setChecks] = useState<Check[] | null>(null);
  const [isRunning, setRunning] = useState(true);
  const runChecks = async () => {
    setRunning(true);
    const found = await run('Running the checks…', () => context.runDoctor(), summary);
    if (found)
      setChecks(found.toSorted((one, other) => order.indexOf(one.level) - order.indexOf(other.level)));
    setRunning(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the screen opens
  useEffect(() => {
    runChecks();
  }, []);
  return { checks, isRunning, runChecks };
}

const order = ['error', 'warning', 'ok'];

function summary(checks: Check[]): string {
  const numberOf = (level: Check['level']) => checks.filter((check) => check.level === level).length;
  const [errors, warnings] = [numberOf('error'), numberOf('warning')];
  if (errors + warnings === 0) return 'All checks passed.';
  return `${checks.length} checks: ${count(errors, 'error')}, ${count(warnings, 'warning')}.`;
}

const Details = ({ check: { level, name, message, why, fix } }: { check: Check }) => (
  <Box
    flexDirection="column"
    height={detailRows}
    flexShrink={0}
    overflow="hidden"
    borderStyle="single"
    borderBottom={false}
    borderLeft={false}
    borderRight={false}
    borderDimColor
  >
    <Text color={colors[level]}>
      {signs[level]} {name}: {message}
    </Text>
    {why && <Text>{why}</Text>}
    {fix && <Text bold>{fix}</Text>}
  </Box>
);
