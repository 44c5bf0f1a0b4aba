import { useEffect, useState } from 'preact/hooks';

let speak: (message: string) => void = () => {};

/** Tells a screen reader what has happened, where sighted people see it happen. */
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
