import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import { App } from './shell/app.tsx';
import { followLinks } from './shell/location.ts';
import { applyTheme } from './shell/theme.ts';

applyTheme();
followLinks();
render(<App />, document.body);
