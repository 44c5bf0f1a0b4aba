interface IconProps {
  /** A Lucide icon: `import { House } from 'lucide-static'`. The build inlines only the icons that are imported. */
  of: string;
  /** Whether the icon is as large as the surrounding text. Default: 18 px, and 16 px in buttons. */
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
