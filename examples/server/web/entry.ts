// The styles are imported here, because every other script imports app.tsx. See scripts/first-script.ts.
import './styles/index.css';
import './app.tsx';
