import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { useCliContext } from '../hooks/cli-context.ts';
import { useKeys } from '../hooks/keyboard.tsx';
import { useNotices } from '../hooks/notices.tsx';
import { useRoom } from '../hooks/terminal-size.ts';
import { printable, widthOf } from '../words/printable.ts';
import { DialogKeysContext } from './dialog-keys.ts';
import { Help } from './help.tsx';
import { help, type KeyHint, KeyHints } from './key-hints.tsx';
import { Spinner } from './spinner.tsx';
import { Text } from './text.tsx';

/** The frame of every screen: title, last notice and key hints. */
export function Frame({
  title,
  keys,
  problem = null,
  isWaiting = false,
  children,
}: {
  title: string;
  keys: readonly KeyHint[];
  problem?: string | null;
  isWaiting?: boolean;
  children: ReactNode;
}): ReactNode {
  const { columns, rows } = useRoom();
  const [isHelping, setHelping] = useState(false);
  const [dialogKeys, setDialogKeys] = useState<readonly KeyHint[] | null>(null);
  useKeys(({ name }) => {
    if (name === '?') setHelping(true);
  });
  return (
    <Box flexDirection="column" overflow="hidden">
      <Rule title={title} columns={columns} />
      <Box flexDirection="column" height={rows} overflow="hidden">
        <DialogKeysContext.Provider value={setDialogKeys}>
          {isHelping ? <Help keys={keys} onClose={() => setHelping(false)} /> : children}
        </DialogKeysContext.Provider>
      </Box>
      <NoticeLine problem={problem} isWaiting={isWaiting} />
      <KeyHints keys={dialogKeys ?? [...keys, help]} columns={columns} />
    </Box>
  );
}

function Rule({ title, columns }: { title: string; columns: number }): ReactNode {
  const { database } = useCliContext();
  const left = widthOf(printable(`── Latchkey · ${title} `));
  const room = columns - left - 3;
  const right = room >= database.length + 2 ? ` ${database} ──` : '';
  const line = '─'.repeat(Math.max(0, columns - left - right.length));
  return (
    <Text wrap="truncate">
      <Text dimColor>── </Text>
      <Text bold color="cyan">
        Latchkey
      </Text>
      <Text bold> · {title} </Text>
      <Text dimColor>
        {line}
        {right}
      </Text>
    </Text>
  );
}

function NoticeLine({ problem, isWaiting }: { problem: string | null; isWaiting: boolean }): ReactNode {
  const { notice } = useNotices();
  return (
    <Box height={1} paddingX={1}>
      {notice?.kind === 'busy' && <Working text={notice.text} />}
      {notice?.kind === 'done' && (
        <Text wrap="truncate" color="green">
          ✓ {notice.text}
        </Text>
      )}
      {notice?.kind === 'error' && (
        <Text wrap="truncate" color="red">
          ✗ {notice.text}
        </Text>
      )}
      {!notice && problem && (
        <Text wrap="truncate" color="yellow">
          ! {problem}
        </Text>
      )}
      {!notice && !problem && isWaiting && <Working text="Loading…" />}
    </Box>
  );
}

const Working = ({ text }: { text: string }) => (
  <Text wrap="truncate">
    <Spinner /> {text}
  </Text>
);
