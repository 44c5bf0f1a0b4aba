import { useId, useState } from 'preact/hooks';
import { t, texts } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';

const messages = texts({ copied: 'common.linkCopied', refused: 'common.linkNotCopied' });

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
          {t('common.copy')}
        </Button>
      </div>
      <p class="field__message" role="status">
        {what ? messages[what] : t('common.linkOnce')}
      </p>
    </div>
  );
}
