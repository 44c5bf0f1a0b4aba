/** How an invitation reaches the user. */
export type Way = 'username' | 'link';

const ways = [
  ['username', 'By username', 'The user has an account, and sees the invitation after signing in.'],
  ['link', 'By link', 'You send a link to the user. The user does not need an account yet.'],
] as const;

export const InviteWay = ({ way, onWay }: { way: Way; onWay: (way: Way) => void }) => (
  <fieldset class="radios">
    <legend class="visually-hidden">How to invite</legend>
    {ways.map(([option, name, hint]) => (
      <label class="radio" key={option}>
        <input
          type="radio"
          name="way"
          class="radio__dot"
          checked={way === option}
          onChange={() => onWay(option)}
        />
        <span>
          <span class="radio__name">{name}</span>
          <span class="radio__hint">{hint}</span>
        </span>
      </label>
    ))}
  </fieldset>
);
