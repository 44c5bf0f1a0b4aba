interface AvatarProps {
  user: { username: string; displayName: string | null };
}

const tints = 6;

/** The initials of a user, in one of six colors that depends on the username. The name is always beside it. */
export const Avatar = ({ user: { username, displayName } }: AvatarProps) => (
  <span class={`avatar avatar--${tintOf(username)}`} aria-hidden="true">
    {initialsOf(displayName ?? username)}
  </span>
);

/** The first letters of the first and the last word: "Ada King Lovelace" and "ada.lovelace" become "AL". */
function initialsOf(name: string): string {
  const words = name.split(/[\s._-]+/).filter(Boolean);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen.map((word) => firstLetterOf(word ?? '')).join('');
}

const letters = new Intl.Segmenter();
const firstLetterOf = (word: string) => ([...letters.segment(word)][0]?.segment ?? '').toLocaleUpperCase();

function tintOf(username: string): number {
  let hash = 0;
  for (const letter of username) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return (hash % tints) + 1;
}
