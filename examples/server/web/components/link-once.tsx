import { useId, useState } from 'preact/hooks';
import { Button } from '../ui/button.tsx';

const messages = {
  copied: 'Copied. Send the link through a private channel.',
  refused: 'This browser doesn’t allow the page to copy. Select the link and copy it yourself.',
};

/** A link that is shown only once, with a button to copy the link. */
export function LinkOnce({ label, url }: { label: string; url: string }) {
  const id = useId();
  const [what, setWhat] = useState<keyof typeof messages | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setWhat('copied');
    } catch {
      setWhat('refused');
    }
  };
  return (
    <div class="field">
      <label class="field__label" for={id}>
        {label}
      </label>
      <div class="copy-line">
        <input
          id={id}
          class="input input--monospace"
          value={url}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="primary" onClick={() => void copy()}>
          Copy
        </Button>
      </div>
      <p class="field__message" role="status">
        {what ? messages[what] : 'The link is shown only once. Copy it now.'}
      </p>
    </div>
  );
}
