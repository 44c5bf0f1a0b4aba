import type { AuditEvent, OwnEvent } from 'latchkey/client';
import { ChevronRight, Copy } from 'lucide-static';
import { useState } from 'preact/hooks';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';
import { Button } from '../ui/button.tsx';
import { toast } from '../ui/toast.tsx';
import type { EventContext } from './event-context.ts';
import { factsOf } from './event-facts.tsx';
import { ProofButton } from './proof-button.tsx';

interface EventDetailsProps {
  event: AuditEvent | OwnEvent;
  context: EventContext;
}

/** The values of an event in words, and a button that shows the event as JSON. */
export function EventDetails({ event, context }: EventDetailsProps) {
  const [isRaw, setRaw] = useState(false);
  const copyId = async () => {
    await navigator.clipboard.writeText(event.id);
    toast(t('activity.idCopied'));
  };
  return (
    <div class="event__details">
      <dl class="event__facts">
        {factsOf(event, context).map(({ name, value }) => (
          <div class="event__fact" key={name}>
            <dt>{t(name)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div class="event__tools">
        <button type="button" class="event__raw-button" aria-expanded={isRaw} onClick={() => setRaw(!isRaw)}>
          <Icon of={ChevronRight} inline />
          {t('activity.rawEvent')}
        </button>
        <Button variant="quiet" size="small" icon={Copy} onClick={() => void copyId().catch(() => {})}>
          {t('activity.copyId')}
        </Button>
        {context.canProve && <ProofButton eventId={event.id} />}
      </div>
      {isRaw && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll the text
        <pre class="event__raw" tabIndex={0}>
          {JSON.stringify(event, null, 2)}
        </pre>
      )}
    </div>
  );
}
