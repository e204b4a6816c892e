import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/parts.css';
import { followLinks } from './api/location.ts';
import { App } from './shell/app.tsx';
import { applyTheme } from './shell/header.tsx';

applyTheme();
followLinks();
render(<App />, document.body);
