import { useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { CodesList } from './codes-list.tsx';
import { downloadCodes, type CodesSheet as Sheet } from './codes-text.ts';

const said = {
  copied: 'Copied. Paste them somewhere safe, a password manager for example.',
  refused: 'This browser doesn’t let the page copy. Select the codes and copy them yourself.',
  downloaded: 'Downloaded. Move the file to a place where only you can get at it.',
};

/** The codes with every way of taking them away. */
export function CodesSheet({ sheet }: { sheet: Sheet }) {
  const [what, setWhat] = useState<keyof typeof said | null>(null);
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
      {/* In the dialog itself: what is outside of it is silent while it is open. */}
      <p class="hint codes__said" role="status">
        {what ? said[what] : 'Each code works once. Keep them apart from your devices.'}
      </p>
    </>
  );
}
