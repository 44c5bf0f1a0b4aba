import { useId, useState } from 'preact/hooks';
import { Button } from './button.tsx';

const said = {
  copied: 'Copied. Send it in a way that nobody else reads.',
  refused: 'This browser doesn’t let the page copy. Select the link and copy it yourself.',
};

/** A link that cannot be shown again, and a way to take it along. */
export function LinkOnce({ label, url }: { label: string; url: string }) {
  const id = useId();
  const [what, setWhat] = useState<keyof typeof said | null>(null);
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
        {what ? said[what] : 'It’s shown only now: keep it until it has arrived.'}
      </p>
    </div>
  );
}
