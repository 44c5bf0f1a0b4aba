import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { bootstrapReasonOf } from '../../bootstrap-reason.ts';
import { Frame } from '../../components/frame.tsx';
import type { KeyHint } from '../../components/key-hints.tsx';
import { Text } from '../../components/text.tsx';
import type { Features } from '../../features.ts';
import { useCliContext } from '../../hooks/cli-context.ts';
import { useKeys } from '../../hooks/keyboard.tsx';
import { usePoll } from '../../hooks/poll.ts';
import { useRoom } from '../../hooks/terminal-size.ts';
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

const bootstrap: Entry = {
  screen: 'bootstrap',
  key: 'b',
  title: 'Bootstrap',
  about: 'create the superadmin',
};
const invitationsEntry = ({ adminInvitations }: Features): Entry => ({
  screen: 'invitations',
  key: 'i',
  title: 'Invitations',
  about: adminInvitations ? 'invite admins, see who accepted' : 'see who accepted, revoke invitations',
});
const entries: Entry[] = [
  { screen: 'users', key: 'u', title: 'Users', about: 'change roles, recover, disable and delete users' },
  { screen: 'activity', key: 'a', title: 'Activity', about: 'watch the audit log' },
  { screen: 'doctor', key: 'd', title: 'Doctor', about: 'find and fix problems' },
];

const hintsFor = (menu: Entry[]): KeyHint[] => [
  { keys: '↑↓ j k', does: 'move' },
  { keys: 'enter →', does: 'open' },
  { keys: menu.map(({ key }) => key).join(' '), does: 'open directly' },
  { keys: 'q', does: 'quit' },
];

export function HomeScreen({
  last = null,
  onGo,
  onQuit,
}: {
  /** The previous screen. The menu selects it. */
  last?: ScreenName | null;
  onGo: (screen: ScreenName) => void;
  onQuit: () => void;
}): ReactNode {
  const context = useCliContext();
  const { rows } = useRoom();
  const {
    data: overview,
    problem,
    isWaiting,
  } = usePoll(() => context.operator.overview(), { everyMs: 5000 });
  const [chosen, setChosen] = useState(last);
  const { features } = context;
  const available = features.invitations ? [invitationsEntry(features), ...entries] : entries;
  const menu = overview && bootstrapReasonOf(overview) ? [bootstrap, ...available] : available;
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
  const warnings = overview ? warningsOf(overview, context.schema) : [];
  // On small terminals, the menu comes first, because the lines below it can be cut off.
  const isSmall = rows < 10 + warnings.length + menu.length;
  const menuLines = (
    <Box flexDirection="column" flexShrink={0}>
      {menu.map((entry, index) => (
        <MenuLine key={entry.screen} entry={entry} isSelected={index === at} />
      ))}
    </Box>
  );
  return (
    <Frame title="Home" keys={hintsFor(available)} problem={problem} isWaiting={isWaiting}>
      <Box flexDirection="column" paddingX={2} paddingTop={isSmall ? 0 : 1} rowGap={isSmall ? 0 : 1}>
        {isSmall && menuLines}
        <Facts
          database={context.database}
          schema={context.schema}
          overview={overview}
          features={features}
          isReachable={problem === unreachableText ? false : overview && true}
        />
        {warnings.length > 0 && <Warnings warnings={warnings} />}
        {!isSmall && menuLines}
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
