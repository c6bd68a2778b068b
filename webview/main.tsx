import '@vscode/codicons/dist/codicon.css';
import { render } from 'preact';
import { App } from './components/app.tsx';
import { createStore, StoreContext } from './state.ts';
import './styles/base.css';
import './styles/markdown.css';
import './styles/conversation.css';
import './styles/tool-card.css';
import './styles/relief.css';
import './styles/composer.css';
import './styles/meter.css';
import './styles/pager.css';
import './styles/tabs.css';
import './styles/memory.css';
import './styles/memory-list.css';

const root = document.createElement('div');
root.className = 'panel';
document.body.append(root);
render(
  <StoreContext.Provider value={createStore(acquireVsCodeApi())}>
    <App />
  </StoreContext.Provider>,
  root,
);
