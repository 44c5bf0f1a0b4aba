import type { RecoveryCodes } from 'latchkey/client';
import { formatDay } from '../dates.ts';

/** New codes, and what identifies their account later. */
export interface CodesSheet extends RecoveryCodes {
  username: string;
  madeAt: string;
}

const digits = 2;

/** The content of the file. It must be understandable years later. */
function codesText({ codes, username, madeAt, expiresAt }: CodesSheet): string {
  const numbered = codes.map((code, index) => `${`${index + 1}`.padStart(digits)}. ${code}`);
  return [
    'Latchkey recovery codes',
    '',
    `Site:     ${location.host}`,
    `Username: ${username}`,
    `Made:     ${formatDay(madeAt)}`,
    ...(expiresAt ? [`Expire:   ${formatDay(expiresAt)}`] : []),
    '',
    ...numbered,
    '',
    'Each code works once. Keep them where only you can access them.',
    `To use one, go to ${location.origin}/recover`,
    '',
  ].join('\n');
}

/** Saves the codes as a file, without sending them anywhere. */
export function downloadCodes(sheet: CodesSheet): void {
  const url = URL.createObjectURL(new Blob([codesText(sheet)], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `latchkey-recovery-codes-${sheet.username}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
