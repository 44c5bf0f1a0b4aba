import { Box, useStdout } from 'ink';
import type { ReactNode } from 'react';
import { useKeys } from '../hooks/keyboard.tsx';
import { useNotices } from '../hooks/notices.tsx';
import { copiedText, copyToClipboard } from './copy.ts';
import { Dialog } from './dialog.tsx';
import { useDialogKeys } from './dialog-keys.ts';
import type { KeyHint } from './key-hints.tsx';
import { fits, QrCode, qrLines } from './qr-code.tsx';
import { Text } from './text.tsx';

export interface LinkPanelLayout {
  height: number;
  qr: readonly string[] | null;
  /** Whether only the QR code is visible. */
  isQrAlone: boolean;
}

const textLines = 3;
/** The screen shows a list above the panel. The list needs at least this many rows. */
const minListRows = 7;

export function linkPanelLayout(
  url: string,
  room: { columns: number; rows: number },
  wantsQr: boolean,
): LinkPanelLayout {
  const qr = qrLines(url);
  const height = 2 + textLines + Math.ceil(url.length / room.columns);
  const withQr = height + qr.length + 1;
  if (fits(qr, { columns: room.columns, rows: room.rows - (withQr - qr.length) - minListRows }))
    return { height: withQr, qr, isQrAlone: false };
  if (wantsQr && fits(qr, room)) return { height: room.rows, qr, isQrAlone: true };
  return { height, qr: null, isQrAlone: false };
}

const hints: KeyHint[] = [
  { keys: 'c', does: 'copy link' },
  { keys: 'r', does: 'show QR code' },
  { keys: 'esc', does: 'close' },
];
const shortHints = hints.filter(({ keys }) => keys !== 'r');
const aloneHints: KeyHint[] = [
  { keys: 'c', does: 'copy link' },
  { keys: 'esc', does: 'back to the link' },
];

/** Shows a secret link. The operator can select it, copy it or scan its QR code. */
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
  /** At most three lines of text. */
  children: ReactNode;
}): ReactNode {
  const { stdout } = useStdout();
  const { notify } = useNotices();
  useKeys(
    ({ name }) => {
      if (name === 'c') {
        copyToClipboard(stdout, url);
        notify({ kind: 'done', text: copiedText });
      } else if (layout.isQrAlone || name === 'r') onToggleQr();
      else if (name === 'escape' || name === 'q') onClose();
    },
    { modal: true },
  );
  if (layout.isQrAlone && layout.qr) return <QrAlone lines={layout.qr} />;
  return (
    <Dialog title={title} keys={layout.qr ? shortHints : hints} isFirst={isFirst} height={layout.height}>
      {/* No padding, so that the operator can select the link without spaces. */}
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
