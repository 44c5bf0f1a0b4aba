import type { RecoveryCodes } from 'latchkey/client';
import { formatDay } from '../dates.ts';

/** New codes, and what it takes to know later what they are for. */
export interface CodesSheet extends RecoveryCodes {
  username: string;
  madeAt: string;
}

const digits = 2;

/** What is in the file: enough to make sense of it when it is found again in some years. */
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
    'Each code works once. Keep them where only you can get at them.',
    `To use one, go to ${location.origin}/recover`,
    '',
  ].join('\n');
}

/** Saves them as a file, which never leaves this browser on its way. */
export function downloadCodes(sheet: CodesSheet): void {
  const url = URL.createObjectURL(new Blob([codesText(sheet)], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `latchkey-recovery-codes-${sheet.username}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
