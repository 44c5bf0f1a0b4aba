import type { Webhook, WebhookWithSecret } from 'latchkey/client';
import { Plus } from 'lucide-static';
import { useCallback, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { has } from '../capabilities.ts';
import { ItemList } from '../components/item-list.tsx';
import { PageHead } from '../components/page-head.tsx';
import { RequireRole } from '../components/require-role.tsx';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { toast } from '../ui/toast.tsx';
import { useAction } from '../use-action.ts';
import { useList } from '../use-list.ts';
import { WebhookForm } from '../webhooks/webhook-form.tsx';
import { type WebhookAction, WebhookRow, webhookColumns } from '../webhooks/webhook-row.tsx';
import { WebhookSecretDialog } from '../webhooks/webhook-secret-dialog.tsx';
import { WebhookTestDialog } from '../webhooks/webhook-test-dialog.tsx';

export const WebhooksPage = () => (
  <RequireRole allows={(role) => has(role, 'webhook:manage')}>{() => <Webhooks />}</RequireRole>
);

/** The open dialog. */
type Open =
  | { dialog: 'create' }
  | { dialog: 'change' | 'test' | 'rotate' | 'delete'; webhook: Webhook }
  | { dialog: 'secret'; created: WebhookWithSecret };

function Webhooks() {
  const [open, setOpen] = useState<Open | null>(null);
  const list = useList<Webhook>(
    useCallback(async (_, signal) => ({ items: await auth.webhooks.list({ signal }), nextCursor: null }), []),
  );
  const close = () => setOpen(null);
  const replace = (changed: Webhook) =>
    list.update((known) => known.map((webhook) => (webhook.id === changed.id ? changed : webhook)));

  const act = useAction(async (action: 'pause' | 'resume' | 'resumeAtEnd', { id }: Webhook) => {
    if (action === 'pause') replace(await auth.webhooks.pause(id));
    else replace(await auth.webhooks.resume(id, action === 'resumeAtEnd' ? { after: 'end' } : {}));
    toast(t(action === 'pause' ? 'webhooks.pausedToast' : 'webhooks.resumedToast'));
  });
  const rotate = useAction(async ({ id }: Webhook) => {
    const created = await auth.webhooks.rotateSecret(id);
    replace(created.webhook);
    setOpen({ dialog: 'secret', created });
  });
  const remove = useAction(async ({ id }: Webhook) => {
    await auth.webhooks.delete(id);
    list.update((known) => known.filter((webhook) => webhook.id !== id));
    close();
    toast(t('webhooks.deletedToast'));
  });
  const choose = (action: WebhookAction, webhook: Webhook) => {
    if (action === 'pause' || action === 'resume' || action === 'resumeAtEnd')
      return void act.run(action, webhook);
    for (const earlier of [act, rotate, remove]) earlier.forget();
    setOpen({ dialog: action, webhook });
  };

  return (
    <div class="section">
      <PageHead
        title={t('webhooks.title')}
        lead={t('webhooks.lead')}
        action={
          <Button variant="primary" icon={Plus} onClick={() => setOpen({ dialog: 'create' })}>
            {t('webhooks.new')}
          </Button>
        }
      />
      <ErrorNotice error={act.error} />
      <ItemList
        list={list}
        what={t('webhooks.what')}
        empty={t('webhooks.empty')}
        columns={webhookColumns()}
        row={(webhook) => (
          <WebhookRow key={webhook.id} webhook={webhook} onChoose={(action) => choose(action, webhook)} />
        )}
      />
      {(open?.dialog === 'create' || open?.dialog === 'change') && (
        <WebhookForm
          webhook={open.dialog === 'change' ? open.webhook : null}
          onClose={close}
          onCreated={(created) => {
            setOpen({ dialog: 'secret', created });
            void list.reload();
          }}
          onChanged={(changed) => {
            replace(changed);
            close();
            toast(t('webhooks.changedToast'));
          }}
        />
      )}
      {open?.dialog === 'secret' && <WebhookSecretDialog created={open.created} onClose={close} />}
      {open?.dialog === 'test' && <WebhookTestDialog webhook={open.webhook} onClose={close} />}
      {open?.dialog === 'rotate' && (
        <ConfirmDialog
          title={t('webhooks.rotateTitle', { name: open.webhook.name })}
          confirm={t('webhooks.rotateConfirm')}
          action={{ ...rotate, run: () => rotate.run(open.webhook) }}
          onClose={close}
        >
          <p>{t('webhooks.rotateBody')}</p>
        </ConfirmDialog>
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={t('webhooks.deleteTitle', { name: open.webhook.name })}
          confirm={t('webhooks.deleteConfirm')}
          danger
          action={{ ...remove, run: () => remove.run(open.webhook) }}
          onClose={close}
        >
          <p>{t('webhooks.deleteBody')}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
