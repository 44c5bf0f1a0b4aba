interface IconProps {
  /** An icon of Lucide: `import { House } from 'lucide-static'`. The build inlines only the icons that are imported. */
  of: string;
  /** The size of the surrounding text. Without it, 18 px, and 16 px in buttons. */
  inline?: boolean;
}

/** Screen readers ignore icons, because every icon has text beside it. */
export const Icon = ({ of, inline }: IconProps) => (
  <svg
    class={inline ? 'icon icon--inline' : 'icon'}
    viewBox="0 0 24 24"
    aria-hidden="true"
    dangerouslySetInnerHTML={{ __html: of }}
  />
);
