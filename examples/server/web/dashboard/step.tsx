import { Check } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { Icon } from '../icons/icon.tsx';
import { t } from '../messages/t.tsx';

interface StepProps {
  done: boolean;
  title: string;
  action?: ComponentChildren;
  /** Why the last attempt failed. */
  notice?: ComponentChildren;
  children: ComponentChildren;
}

/** A step of the checklist, with a button that does the step. */
export const Step = ({ done, title, action, notice, children }: StepProps) => (
  <li class={`row step${done ? ' step--done' : ''}`}>
    <span class="step__mark">{done && <Icon of={Check} />}</span>
    <div class="row__text">
      <h3 class="row__title">
        {title}
        {done && <span class="visually-hidden">{t('home.doneSuffix')}</span>}
      </h3>
      <p class="row__meta">{children}</p>
    </div>
    {action && <div class="row__actions">{action}</div>}
    {notice && <div class="step__notice">{notice}</div>}
  </li>
);
