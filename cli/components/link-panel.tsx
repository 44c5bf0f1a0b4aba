import { Box, useStdout } from 'ink';
import type { ReactNode } from 'react';
import { useKeys } from '../hooks/keyboard.tsx';
import { useNotices } from '../hooks/notices.tsx';
import { copiedWords, copyToClipboard } from './copy.ts';
import { Dialog } from './dialog.tsx';
import { useDialogKeys } from './dialog-keys.ts';
import type { KeyHint } from './key-hints.tsx';
import { fits, QrCode, qrLines } from './qr-code.tsx';
import { Text } from './text.tsx';

export interface LinkPanelLayout {
  height: number;
  qr: readonly string[] | null;
  /** The QR code needs all the room there is. */
  isQrAlone: boolean;
}

const textLines = 3;
/** Below this a list says nothing any more. */
const listNeeds = 7;

export function linkPanelLayout(
  url: string,
  room: { columns: number; rows: number },
  wantsQr: boolean,
): LinkPanelLayout {
  const qr = qrLines(url);
  const height = 2 + textLines + Math.ceil(url.length / room.columns);
  const withQr = height + qr.length + 1;
  if (fits(qr, { columns: room.columns, rows: room.rows - (withQr - qr.length) - listNeeds }))
    return { height: withQr, qr, isQrAlone: false };
  if (wantsQr && fits(qr, room)) return { height: room.rows, qr, isQrAlone: true };
  return { height, qr: null, isQrAlone: false };
}

const hints: KeyHint[] = [
  { keys: 'c', does: 'copy' },
  { keys: 'r', does: 'QR code' },
  { keys: 'esc', does: 'done' },
];
const shortHints = hints.filter(({ keys }) => keys !== 'r');
const aloneHints: KeyHint[] = [
  { keys: 'c', does: 'copy' },
  { keys: 'esc', does: 'back to the link' },
];

/** A link with a secret, shown this once: to select, to copy, to scan. */
export function LinkPanel({
  title,
  url,
  layout,
  onToggleQr,
  onClose,
  isFirst = false,
  children,
}: {
  title: string;
  url: string;
  layout: LinkPanelLayout;
  onToggleQr: () => void;
  onClose: () => void;
  isFirst?: boolean;
  /** What is to be said about it: three lines at most. */
  children: ReactNode;
}): ReactNode {
  const { stdout } = useStdout();
  const { say } = useNotices();
  useKeys(
    ({ name }) => {
      if (name === 'c') {
        copyToClipboard(stdout, url);
        say({ kind: 'done', text: copiedWords });
      } else if (layout.isQrAlone || name === 'r') onToggleQr();
      else if (name === 'escape' || name === 'q') onClose();
    },
    { modal: true },
  );
  if (layout.isQrAlone && layout.qr) return <QrAlone lines={layout.qr} />;
  return (
    <Dialog title={title} keys={layout.qr ? shortHints : hints} isFirst={isFirst} height={layout.height}>
      {/* From edge to edge, so that a mouse selects the link and nothing else. */}
      <Box flexShrink={0}>
        <Text>{url}</Text>
      </Box>
      {children}
      {layout.qr && (
        <Box paddingTop={1} flexShrink={0}>
          <QrCode lines={layout.qr} />
        </Box>
      )}
    </Dialog>
  );
}

function QrAlone({ lines }: { lines: readonly string[] }): ReactNode {
  useDialogKeys(aloneHints);
  return <QrCode lines={lines} />;
}
