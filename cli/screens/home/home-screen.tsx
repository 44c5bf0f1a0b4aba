import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import { useDesk } from '../../hooks/desk-context.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { usePoll } from '../../hooks/poll.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
import { openingOf } from '../../opening.ts';
import { unreachableText } from '../../words/explain-error.ts';
import { isOpen, type ScreenName } from '../screen.ts';
import { Facts } from './facts.tsx';
import { warningsOf } from './warnings.ts';

interface Entry {
  screen: ScreenName;
  key: string;
  title: string;
  about: string;
}

const bootstrap: Entry = { screen: 'bootstrap', key: 'b', title: 'Bootstrap', about: 'make the superadmin' };
const entries: Entry[] = [
  { screen: 'invitations', key: 'i', title: 'Invitations', about: 'invite admins, see who has come' },
  { screen: 'users', key: 'u', title: 'Users', about: 'roles, ways back in, shutting out' },
  { screen: 'activity', key: 'a', title: 'Activity', about: 'what happens, as it happens' },
  { screen: 'doctor', key: 'd', title: 'Doctor', about: 'what is wrong, and what mends it' },
];

const hints: KeyHint[] = [
  { keys: '↑↓ j k', does: 'move' },
  { keys: 'enter →', does: 'open' },
  { keys: 'i u a d', does: 'go there' },
  { keys: 'q', does: 'quit' },
];

export function HomeScreen({
  last = null,
  onGo,
  onQuit,
}: {
  /** Where one comes from. */
  last?: ScreenName | null;
  onGo: (screen: ScreenName) => void;
  onQuit: () => void;
}): ReactNode {
  const desk = useDesk();
  const { rows } = useRoom();
  const { data: overview, trouble, isWaiting } = usePoll(() => desk.operator.overview(), { every: 5000 });
  const [chosen, setChosen] = useState(last);
  const menu = overview && openingOf(overview) ? [bootstrap, ...entries] : entries;
  const at = Math.max(
    0,
    menu.findIndex(({ screen }) => screen === chosen),
  );
  useKeys(({ name }) => {
    if (name === 'q') return onQuit();
    const direct = menu.find(({ key }) => key === name) ?? (isOpen(name) ? menu[at] : undefined);
    if (direct) return onGo(direct.screen);
    const next = menu[at + stepOf(name)];
    if (next) setChosen(next.screen);
  });
  const warnings = overview ? warningsOf(overview, desk.schema) : [];
  // Where not all has room, what can be done comes before what there is.
  const isLow = rows < 10 + warnings.length + menu.length;
  const menuLines = (
    <Box flexDirection="column" flexShrink={0}>
      {menu.map((entry, index) => (
        <MenuLine key={entry.screen} entry={entry} isSelected={index === at} />
      ))}
    </Box>
  );
  return (
    <Frame title="Home" keys={hints} trouble={trouble} isWaiting={isWaiting}>
      <Box flexDirection="column" paddingX={2} paddingTop={isLow ? 0 : 1} rowGap={isLow ? 0 : 1}>
        {isLow && menuLines}
        <Facts
          database={desk.database}
          schema={desk.schema}
          overview={overview}
          isReachable={trouble === unreachableText ? false : overview && true}
        />
        {warnings.length > 0 && <Warnings warnings={warnings} />}
        {!isLow && menuLines}
      </Box>
    </Frame>
  );
}

function stepOf(name: string): number {
  if (name === 'down' || name === 'j') return 1;
  return name === 'up' || name === 'k' ? -1 : 0;
}

const Warnings = ({ warnings }: { warnings: string[] }) => (
  <Box flexDirection="column" flexShrink={0}>
    {warnings.map((warning) => (
      <Text key={warning} color="yellow">
        ! {warning}
      </Text>
    ))}
  </Box>
);

const MenuLine = ({ entry, isSelected }: { entry: Entry; isSelected: boolean }) => (
  <Text wrap="truncate">
    <Text color="cyan">{isSelected ? '› ' : '  '}</Text>
    <Text bold>{entry.key}</Text>
    {'  '}
    <Text bold={isSelected}>{entry.title.padEnd(13)}</Text>
    <Text dimColor>{entry.about}</Text>
  </Text>
);
