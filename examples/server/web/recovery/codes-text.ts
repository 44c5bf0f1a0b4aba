import type { RecoveryCodes } from 'latchkey/client';
import { formatDay } from '../dates.ts';
import { t } from '../messages/text.ts';
import { brandName } from '../site-settings.ts';

/** New codes. The username shows later which account the codes are for. The time shows whether they are the latest. */
export interface CodesSheet extends RecoveryCodes {
  username: string;
  createdAt: string;
}

const digits = 2;

/** The content of the downloaded file. The user must understand it years later. */
function codesText({ codes, username, createdAt, expiresAt }: CodesSheet): string {
  const numbered = codes.map((code, index) => `${`${index + 1}`.padStart(digits)}. ${code}`);
  return [
    t('recovery.sheetTitle', { brand: brandName }),
    '',
    t('recovery.fileSite', { site: location.host }),
    t('recovery.fileUsername', { username }),
    t('recovery.fileCreated', { date: formatDay(createdAt) }),
    ...(expiresAt ? [t('recovery.fileExpire', { date: formatDay(expiresAt) })] : []),
    '',
    ...numbered,
    '',
    t('recovery.fileKeep'),
    t('recovery.fileUse', { url: `${location.origin}/recover` }),
    '',
  ].join('\n');
}

/** Downloads the codes as a file. The browser creates the file, so the codes are not sent to a server. */
export function downloadCodes(sheet: CodesSheet): void {
  const url = URL.createObjectURL(new Blob([codesText(sheet)], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = t('recovery.fileName', { username: sheet.username });
  link.click();
  URL.revokeObjectURL(url);
}
