/** Set by the editor for its own processes: a command that inherited them would behave as a part of the editor. */
const EDITOR_OWN = /^(?:ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$)|CHROME_DESKTOP$|NODE_CHANNEL_)/;

/** Nobody sits at the terminal: pagers print, prompts fail instead of waiting, editors accept what is there. */
const UNATTENDED: NodeJS.ProcessEnv = {
  TERM: 'dumb',
  PAGER: 'cat',
  MANPAGER: 'cat',
  GIT_PAGER: 'cat',
  GIT_EDITOR: 'true',
  GIT_TERMINAL_PROMPT: '0',
  DEBIAN_FRONTEND: 'noninteractive',
};

/** The environment of a command. */
export function shellEnv(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(inherited).filter(([name]) => !EDITOR_OWN.test(name));
  return { ...Object.fromEntries(own), ...UNATTENDED };
}
