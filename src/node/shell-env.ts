/** Set by the editor for its own processes: a command that inherited them would behave as a part of the editor. */
const EDITOR_OWN = /^(?:ELECTRON_|VSCODE_(?!IPC_HOOK_CLI$)|CHROME_DESKTOP$|NODE_CHANNEL_)/;

/**
 * What the person gave the editor so that Plimsoll may use it: a command has no business with it, and what a command
 * prints goes to the model and into the log. Names are compared as Windows does.
 */
const PLIMSOLLS_KEY = /^ANTHROPIC_(?:API_KEY|AUTH_TOKEN)$/i;

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

/** The environment of a command: the editor's, without what is the editor's own and without the model's key. */
export function shellEnv(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = Object.entries(inherited).filter(
    ([name]) => !EDITOR_OWN.test(name) && !PLIMSOLLS_KEY.test(name),
  );
  return { ...Object.fromEntries(own), ...UNATTENDED };
}
