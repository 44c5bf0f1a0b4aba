import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface SectionCardProps {
  title: string;
  /** A button or a link beside the title. */
  action?: ComponentChildren;
  /** Whether the titles of the rows are sentences. Then only the names in them are bold. */
  isPlain?: boolean;
  children: ComponentChildren;
}

/** A card with a title and rows. */
export function SectionCard({ title, action, isPlain, children }: SectionCardProps) {
  const id = useId();
  return (
    <section class={`section-card${isPlain ? ' section-card--plain' : ''}`} aria-labelledby={id}>
      <div class="section-card__head">
        <h2 id={id}>{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

interface CardRowProps {
  /** An icon, a logo or an avatar. */
  sign: ComponentChildren;
  title: ComponentChildren;
  /** Facts about the item. False and null are left out. */
  facts?: readonly ComponentChildren[];
  /** A badge at the end of the row. */
  end?: ComponentChildren;
}

export const CardRow = ({ sign, title, facts = [], end }: CardRowProps) => (
  <li class="card-row">
    {sign}
    <div class="card-row__text">
      <p class="card-row__title">{title}</p>
      {facts.some(Boolean) && (
        <p class="row__meta row__facts">
          {facts.filter(Boolean).map((fact, index) => (
            <span key={index}>{fact}</span>
          ))}
        </p>
      )}
    </div>
    {end && <div class="card-row__end">{end}</div>}
  </li>
);
