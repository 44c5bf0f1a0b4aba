import { AuthClientError, type Webhook, type WebhookWithSecret } from 'latchkey/client';
import { useId, useState } from 'preact/hooks';
import { auth } from '../auth.ts';
import { codeOf } from '../explain.ts';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { Sheet } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { ErrorNotice } from '../ui/notice.tsx';
import { Bad } from '../ui/verdict.tsx';
import { useAction } from '../use-action.ts';

interface WebhookFormProps {
  /** The webhook to change. Null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  onCreated: (created: WebhookWithSecret) => void;
  onChanged: (changed: Webhook) => void;
}

/** The form of a new webhook, or of a webhook to change. The name of a webhook cannot change. */
export function WebhookForm({ webhook, onClose, onCreated, onChanged }: WebhookFormProps) {
  const form = useId();
  const [name, setName] = useState('');
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState(webhook?.events?.join(', ') ?? '');
  const save = useAction(async () => {
    const given = { url: url.trim(), events: listIn(events) };
    if (webhook === null) onCreated(await auth.webhooks.create({ name: name.trim(), ...given }));
    else onChanged(await auth.webhooks.update(webhook.id, given));
  });
  const fault = faultsIn(save.error);
  const typed = (set: (value: string) => void) => (value: string) => {
    set(value);
    save.forget();
  };
  return (
    <Sheet
      title={webhook ? t('webhooks.editTitle', { name: webhook.name }) : t('webhooks.formTitle')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form} variant="primary" busy={save.busy}>
            {t(webhook ? 'webhooks.save' : 'webhooks.create')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save.run();
        }}
      >
        {webhook === null && (
          <Field
            label={t('webhooks.name')}
            name="webhook-name"
            value={name}
            onValue={typed(setName)}
            autocomplete="off"
            verbatim
            maxLength={64}
            invalid={fault.name !== undefined}
            message={
              fault.name === undefined ? (
                t('webhooks.nameHint')
              ) : (
                <Bad>{t(fault.name === 'taken' ? 'webhooks.nameTaken' : 'webhooks.nameHint')}</Bad>
              )
            }
          />
        )}
        <Field
          label={t('webhooks.url')}
          name="webhook-url"
          value={url}
          onValue={typed(setUrl)}
          autocomplete="off"
          verbatim
          maxLength={2048}
          invalid={fault.url !== undefined}
          message={fault.url === undefined ? t('webhooks.urlHint') : <Bad>{t('webhooks.urlInvalid')}</Bad>}
        />
        <Field
          label={t('webhooks.events')}
          optional
          name="webhook-events"
          value={events}
          onValue={typed(setEvents)}
          autocomplete="off"
          verbatim
          maxLength={2000}
          invalid={fault.events !== undefined}
          message={
            fault.events === undefined ? t('webhooks.eventsHint') : <Bad>{t('webhooks.eventsInvalid')}</Bad>
          }
        />
      </form>
      {Object.keys(fault).length === 0 && <ErrorNotice error={save.error} />}
    </Sheet>
  );
}

/** The names in the field. Null: all events. */
function listIn(text: string): string[] | null {
  const names = text.split(/[\s,]+/).filter(Boolean);
  return names.length === 0 ? null : names;
}

/** What is wrong with each field. */
function faultsIn(error: unknown): { name?: string; url?: string; events?: string } {
  if (codeOf(error) === 'webhook_name_taken') return { name: 'taken' };
  const faults = error instanceof AuthClientError ? (error.errors ?? []) : [];
  return Object.fromEntries(faults.map(({ path, message }) => [path.split('.')[0], message]));
}
