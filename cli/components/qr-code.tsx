import { Text } from 'ink';
import type { ReactNode } from 'react';
import { renderUnicodeCompact } from 'uqr';

/** The lines of a QR code, two rows of modules each; dark on light whatever the terminal's colours. */
export const qrLines = (text: string): string[] => renderUnicodeCompact(text, { border: 1 }).split('\n');

export const fits = (lines: readonly string[], room: { columns: number; rows: number }): boolean =>
  lines.length <= room.rows && (lines[0]?.length ?? 0) <= room.columns;

export const QrCode = ({ lines }: { lines: readonly string[] }): ReactNode => (
  <Text color="whiteBright" backgroundColor="black">
    {lines.join('\n')}
  </Text>
);
