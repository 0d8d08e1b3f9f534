import { render } from 'preact';
import { App } from './app.tsx';
import './styles/palette.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/tables.css';
import './styles/forms.css';
import './styles/layout.css';
import './styles/parts.css';
import './styles/dialogs.css';
import './ui/overlays/popover.css';
import './chat/conversations/list/conversations.css';
import './chat/messages/messages.css';
import './chat/composer/composer.css';
import './styles/touch.css';

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
