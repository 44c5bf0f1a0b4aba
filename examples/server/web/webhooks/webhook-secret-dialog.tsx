import type { WebhookWithSecret } from 'latchkey/client';
import { useId, useState } from 'preact/hooks';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** Shows the secret of a webhook once. */
export function WebhookSecretDialog({
  created,
  onClose,
}: {
  created: WebhookWithSecret;
  onClose: () => void;
}) {
  const id = useId();
  const [isCopied, setCopied] = useState<boolean | null>(null);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(created.secret);
      setCopied(true);
    } catch {
      setCopied(false);
    }
  };
  return (
    <Dialog
      title={t('webhooks.secretTitle', { name: created.webhook.name })}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('webhooks.done')}</Button>}
    >
      <div class="field">
        <label class="field__label" for={id}>
          {t('webhooks.secretLabel')}
        </label>
        <div class="copy-line">
          <input
            id={id}
            class="input input--monospace"
            value={created.secret}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button variant="primary" onClick={() => void copy()}>
            {t('common.copy')}
          </Button>
        </div>
        <p class="field__message" role="status">
          {isCopied === null
            ? t('webhooks.secretOnce')
            : t(isCopied ? 'webhooks.secretCopied' : 'webhooks.secretNotCopied')}
        </p>
      </div>
    </Dialog>
  );
}
