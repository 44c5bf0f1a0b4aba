import type { Webhook, WebhookTest } from 'latchkey/client';
import { useEffect, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNotice, Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useAction } from '../use-action.ts';
import { faultName } from './webhook-words.ts';

/** Sends a test event and shows the result. */
export function WebhookTestDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [result, setResult] = useState<WebhookTest | null>(null);
  const send = useAction(async () => {
    setResult(null);
    setResult(await auth.webhooks.test(webhook.id));
  });
  // Sends one event when the dialog opens.
  useEffect(() => void send.run(), []);
  const title = t('webhooks.testing', { name: webhook.name });
  return (
    <Dialog title={title} onClose={onClose} actions={<Button onClick={onClose}>{t('webhooks.done')}</Button>}>
      {send.busy && <Skeleton rows={1} label={title} />}
      {result && <Result result={result} />}
      <ErrorNotice error={send.error} />
    </Dialog>
  );
}

function Result({ result: { fault, status, durationMs: duration } }: { result: WebhookTest }) {
  if (fault === null)
    return (
      <Notice tone="info" title={t('webhooks.testAccepted')}>
        {t('webhooks.testAcceptedBody', { status: `${status}`, duration: `${duration}` })}
      </Notice>
    );
  const name = faultName(fault);
  return (
    <Notice tone="warning" title={t('webhooks.testFailed')}>
      {status === null
        ? t('webhooks.testFailedBody', { fault: name })
        : t('webhooks.testFailedStatus', { fault: name, status: `${status}`, duration: `${duration}` })}
    </Notice>
  );
}
