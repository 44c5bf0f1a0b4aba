import { useState } from 'preact/hooks';
import { t, texts } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { CodesList } from './codes-list.tsx';
import { downloadCodes, type CodesSheet as Sheet } from './codes-text.ts';

const messages = texts({
  copied: 'recovery.copied',
  refused: 'recovery.notCopied',
  downloaded: 'recovery.downloaded',
});

/** The codes, with buttons to copy, download and print them. */
export function CodesSheet({ sheet }: { sheet: Sheet }) {
  const [what, setWhat] = useState<keyof typeof messages | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(sheet.codes.join('\n'));
      setWhat('copied');
    } catch {
      setWhat('refused');
    }
  };
  const download = () => {
    downloadCodes(sheet);
    setWhat('downloaded');
  };
  return (
    <>
      <CodesList {...sheet} />
      <div class="codes__ways">
        <Button onClick={() => void copy()}>{t('common.copy')}</Button>
        <Button onClick={download}>{t('recovery.download')}</Button>
        <Button onClick={() => window.print()}>{t('recovery.print')}</Button>
      </div>
      {/* Inside the dialog, because screen readers announce nothing outside an open dialog. */}
      <p class="hint codes__said" role="status">
        {what ? messages[what] : t('recovery.keepSeparate')}
      </p>
    </>
  );
}
