import { Box } from 'ink';
import { type ReactNode, useState } from 'react';
import { useDesk } from '../hooks/desk-context.ts';
import { useKeys } from '../hooks/keyboard.tsx';
import { useNotices } from '../hooks/notices.tsx';
import { useRoom } from '../hooks/terminal-size.ts';
import { printable, widthOf } from '../words/printable.ts';
import { DialogKeysContext } from './dialog-keys.ts';
import { Help } from './help.tsx';
import { help, type KeyHint, KeyHints } from './key-hints.tsx';
import { Spinner } from './spinner.tsx';
import { Text } from './text.tsx';

/** What stands around every screen: where one is, what happened last, and the keys. */
export function Frame({
  title,
  keys,
  trouble = null,
  isWaiting = false,
  children,
}: {
  title: string;
  keys: readonly KeyHint[];
  trouble?: string | null;
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
      <NoticeLine trouble={trouble} isWaiting={isWaiting} />
      <KeyHints keys={dialogKeys ?? [...keys, help]} columns={columns} />
    </Box>
  );
}

function Rule({ title, columns }: { title: string; columns: number }): ReactNode {
  const { database } = useDesk();
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

function NoticeLine({ trouble, isWaiting }: { trouble: string | null; isWaiting: boolean }): ReactNode {
  const { notice } = useNotices();
  return (
    <Box height={1} paddingX={1}>
      {notice?.kind === 'busy' && <Working text={notice.text} />}
      {notice?.kind === 'done' && (
        <Text wrap="truncate" color="green">
          ✓ {notice.text}
        </Text>
      )}
      {notice?.kind === 'fault' && (
        <Text wrap="truncate" color="red">
          ✗ {notice.text}
        </Text>
      )}
      {!notice && trouble && (
        <Text wrap="truncate" color="yellow">
          ! {trouble}
        </Text>
      )}
      {!notice && !trouble && isWaiting && <Working text="Reading…" />}
    </Box>
  );
}

const Working = ({ text }: { text: string }) => (
  <Text wrap="truncate">
    <Spinner /> {text}
  </Text>
);
