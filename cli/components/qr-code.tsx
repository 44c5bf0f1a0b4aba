import { Text } from 'ink';
import type { ReactNode } from 'react';
import { renderUnicodeCompact } from 'uqr';

/** The lines of a QR code. Each line has two rows of modules (the squares of the code). */
export const qrLines = (text: string): string[] => renderUnicodeCompact(text, { border: 1 }).split('\n');

export const fits = (lines: readonly string[], room: { columns: number; rows: number }): boolean =>
  lines.length <= room.rows && (lines[0]?.length ?? 0) <= room.columns;

/** Draws light modules in white on black, so that the code can be scanned in any color scheme. */
export const QrCode = ({ lines }: { lines: readonly string[] }): ReactNode => (
  <Text color="whiteBright" backgroundColor="black">
    {lines.join('\n')}
  </Text>
);
