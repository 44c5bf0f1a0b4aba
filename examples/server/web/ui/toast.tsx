import { CircleCheck, X } from 'lucide-static';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { explain } from '../explain.ts';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { useAction } from '../use-action.ts';
import { Button, IconButton } from './button.tsx';

const shownForMs = 6_000;

interface ToastContent {
  /** What was done, in a sentence without a period. */
  message: string;
  /** Reverses the action. */
  undo?: (() => Promise<void>) | undefined;
}

let show: (content: ToastContent) => void = () => {};

/** Says that an action succeeded. The message disappears after six seconds. */
export const toast = (message: string, undo?: () => Promise<void>): void => show({ message, undo });

let lastId = 0;

/** The newest message. Rendered once, outside the pages, so that it stays visible after a navigation. */
export function Toaster() {
  const [current, setCurrent] = useState<(ToastContent & { id: number }) | null>(null);
  useEffect(() => {
    show = (content) => {
      lastId += 1;
      setCurrent({ ...content, id: lastId });
    };
  }, []);
  const close = useCallback(() => setCurrent(null), []);
  return (
    <div class="toaster" role="status">
      {current && <Toast key={current.id} {...current} onClose={close} />}
    </div>
  );
}

function Toast({ message, undo, onClose }: ToastContent & { onClose: () => void }) {
  const [isHovered, setHovered] = useState(false);
  const [isFocused, setFocused] = useState(false);
  const undoing = useAction(async () => {
    await undo?.();
    onClose();
  });
  const isStaying = isHovered || isFocused || undoing.busy || undoing.error !== null;

  // Users who read the message or move to a button need more time, so the timer restarts afterwards.
  useEffect(() => {
    if (isStaying) return;
    const timer = setTimeout(onClose, shownForMs);
    return () => clearTimeout(timer);
  }, [isStaying, onClose]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer and the focus only keep the message open
    <div
      class="toast"
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
    >
      <Icon of={CircleCheck} />
      <p class="toast__message" dir="auto">
        {undoing.error === null ? message : explain(undoing.error).title}
      </p>
      {undo && undoing.error === null && (
        <Button variant="quiet" size="small" busy={undoing.busy} onClick={() => void undoing.run()}>
          {t('common.undo')}
        </Button>
      )}
      <IconButton icon={X} label={t('common.dismiss')} onClick={onClose} />
    </div>
  );
}
