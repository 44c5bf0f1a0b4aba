import { Check, Copy } from 'lucide-static';
import { useEffect, useState } from 'preact/hooks';
import { T } from '../messages/t.tsx';
import { Button } from './button.tsx';

const shownForMs = 2_000;

interface CopyButtonProps {
  text: string;
  /** What is copied, such as "the link". Screen readers read it after "Copy". */
  what: string;
  variant?: 'primary' | 'secondary';
  /** Called after an attempt. False: the browser does not allow the page to copy. */
  onCopied?: (isCopied: boolean) => void;
}

/** Copies a text. Shows a check mark for two seconds. */
export function CopyButton({ text, what, variant = 'secondary', onCopied }: CopyButtonProps) {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (!isDone) return;
    const timer = setTimeout(() => setDone(false), shownForMs);
    return () => clearTimeout(timer);
  }, [isDone]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setDone(true);
      onCopied?.(true);
    } catch {
      onCopied?.(false);
    }
  };

  return (
    <Button variant={variant} icon={isDone ? Check : Copy} onClick={() => void copy()}>
      <T
        id={isDone ? 'common.copiedWhat' : 'common.copyWhat'}
        values={{ what, hidden: (words) => <span class="visually-hidden">{words}</span> }}
      />
    </Button>
  );
}
