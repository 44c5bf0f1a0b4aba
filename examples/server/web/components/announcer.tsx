import { useEffect, useState } from 'preact/hooks';

let speak: (message: string) => void = () => {};

/** Announces a change to screen readers that is otherwise only visible. */
export const announce = (message: string): void => speak(message);

export function Announcer() {
  const [message, setMessage] = useState('');
  useEffect(() => {
    speak = setMessage;
  }, []);
  return (
    <div class="visually-hidden" role="status">
      {message}
    </div>
  );
}
