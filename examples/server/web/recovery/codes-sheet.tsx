import { useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';
import { CodesList } from './codes-list.tsx';
import { downloadCodes, type CodesSheet as Sheet } from './codes-text.ts';

const messages = {
  copied: 'Copied. Paste the codes into a safe place, such as a password manager.',
  refused: 'This browser doesn’t allow the page to copy. Select the codes and copy them yourself.',
  downloaded: 'Downloaded. Move the file to a place that only you can access.',
};

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
        <Button onClick={() => void copy()}>Copy</Button>
        <Button onClick={download}>Download</Button>
        <Button onClick={() => window.print()}>Print</Button>
      </div>
      {/* Inside the dialog, because screen readers announce nothing outside an open dialog. */}
      <p class="hint codes__said" role="status">
        {what ? messages[what] : 'Each code works once. Keep the codes separate from your devices.'}
      </p>
    </>
  );
}
