import { Box } from 'ink';
import { type ReactNode, useEffect, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Spinner } from '../../components/spinner.tsx';
import { type Column, Table } from '../../components/table.tsx';
import { Text } from '../../components/text.tsx';
import type { Check } from '../../doctor/check.ts';
import { useDesk } from '../../hooks/desk-context.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { useSelection } from '../../hooks/selection.ts';
import { useTask } from '../../hooks/task.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { isBack, type ScreenProps } from '../screen.ts';

const signs = { ok: '✓', warning: '!', fault: '✗' };
const words = { ok: '✓ ok', warning: '! soon', fault: '✗ fault' };
const colours = { ok: 'green', warning: 'yellow', fault: 'red' };

const hints: KeyHint[] = [
  { keys: '↑↓ j k', does: 'move' },
  { keys: 'r', does: 'look again' },
  { keys: 'esc', does: 'back' },
];

const columns: Column<Check>[] = [
  { title: '', width: 7, cell: ({ level }) => words[level], colour: ({ level }) => colours[level] },
  { title: 'Looked at', width: 18, cell: ({ name }) => name },
  { title: 'Found', from: 50, cell: ({ message }) => message },
];

const detailRows = 7;

/** What is wrong, why it matters and what mends it; the worst first. */
export function DoctorScreen({ onBack }: ScreenProps): ReactNode {
  const room = useRoom();
  const { checks, isLooking, look } = useDoctor();
  const selection = useSelection(checks ?? [], ({ name, message }) => `${name} ${message}`, {
    pageRows: room.rows - detailRows - 1,
  });
  useKeys((press) => {
    if (selection.move(press)) return;
    if (press.name === 'r' && !isLooking) look();
    else if (isBack(press.name)) onBack();
  });
  return (
    <Frame title="Doctor" keys={hints}>
      {!checks && isLooking && (
        <Box padding={1}>
          <Text>
            <Spinner /> Looking at everything; some of it takes a second.
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
          empty="Nothing was looked at."
        />
      )}
      {selection.item && <Details check={selection.item} />}
    </Frame>
  );
}

function useDoctor() {
  const desk = useDesk();
  const run = useTask();
  const [checks, setChecks] = useState<Check[] | null>(null);
  const [isLooking, setLooking] = useState(true);
  const look = async () => {
    setLooking(true);
    const found = await run('Looking…', () => desk.runDoctor(), summary);
    if (found)
      setChecks(found.toSorted((one, other) => order.indexOf(one.level) - order.indexOf(other.level)));
    setLooking(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the screen opens
  useEffect(() => {
    look();
  }, []);
  return { checks, isLooking, look };
}

const order = ['fault', 'warning', 'ok'];

function summary(checks: Check[]): string {
  const count = (level: Check['level']) => checks.filter((check) => check.level === level).length;
  const [faults, warnings] = [count('fault'), count('warning')];
  if (faults + warnings === 0) return `All ${checks.length} are well.`;
  const parts = [faults && `${faults} to mend`, warnings && `${warnings} to see to soon`].filter(Boolean);
  return `${checks.length} looked at: ${parts.join(', ')}.`;
}

const Details = ({ check: { level, name, message, why, mend } }: { check: Check }) => (
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
    <Text color={colours[level]}>
      {signs[level]} {name}: {message}
    </Text>
    {why && <Text>{why}</Text>}
    {mend && <Text bold>{mend}</Text>}
  </Box>
);
