import { Info, TriangleAlert } from 'lucide-static';
import type { ComponentChildren } from 'preact';
import { type Explanation, explain } from '../explain.ts';
import { Icon } from '../icons/icon.tsx';

interface NoticeProps {
  tone: Explanation['tone'];
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}

const icons = { info: Info, warning: TriangleAlert, danger: TriangleAlert };

/** A screen reader announces `danger` immediately. It announces `info` and `warning` at its next pause. */
export function Notice({ tone, title, children, action }: NoticeProps) {
  return (
    <div class={`notice notice--${tone}`} role={tone === 'danger' ? 'alert' : 'status'}>
      <Icon of={icons[tone]} />
      <div class="notice__text">
        <p class="notice__title">{title}</p>
        {children && <p class="notice__body">{children}</p>}
      </div>
      {action && <div class="notice__action">{action}</div>}
    </div>
  );
}

interface ErrorNoticeProps {
  error: unknown;
  /** The page's own explanations of errors. The keys are the codes or the reasons of the errors. */
  words?: Record<string, Explanation> | undefined;
  action?: ComponentChildren;
}

/** Explains an error. Renders nothing if `error` is null. */
export function ErrorNotice({ error, words, action }: ErrorNoticeProps) {
  if (error === null) return null;
  const { tone, title, body } = explain(error, words);
  return (
    <Notice tone={tone} title={title} action={action}>
      {body}
    </Notice>
  );
}
