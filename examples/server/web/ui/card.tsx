import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** A surface for content that belongs together. */
export const Card = ({ children }: { children: ComponentChildren }) => <div class="card">{children}</div>;

interface CardSectionProps {
  title: string;
  /** A link, a number or a button beside the title. */
  action?: ComponentChildren;
  /** Rows, or content in `card__body`. */
  children: ComponentChildren;
}

/** A card that is a section of the page, with its title in the first row. */
export function CardSection({ title, action, children }: CardSectionProps) {
  const id = useId();
  return (
    <section class="card card--section" aria-labelledby={id}>
      <div class="card__head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}
