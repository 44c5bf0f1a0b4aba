import { useEffect, useState } from 'preact/hooks';

let speak: (message: string) => void = () => {};

/** Announces a message to screen readers, for changes that would otherwise only be visible. */
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
