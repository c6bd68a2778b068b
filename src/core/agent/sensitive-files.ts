import type { ResolvedFile } from '../tools/define-tool.ts';

/** Folders whose files decide what runs on this machine, or are Plimsoll's own. */
const FOLDERS: ReadonlySet<string> = new Set([
  '.git',
  '.vscode',
  '.plimsoll',
  '.idea',
  '.husky',
  '.devcontainer',
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
]);

/** Files that hold secrets, or that shells and tools obey. */
const NAMES =
  /^(?:\.env(?:\..*)?|\.envrc|.*\.(?:pem|key|p12|pfx|keystore|jks|kdbx|code-workspace)|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:\.pub)?|authorized_keys|known_hosts|\.netrc|_netrc|\.npmrc|\.pypirc|\.git-credentials|\.gitconfig|\.gitmodules|\.htpasswd|\.(?:bash|zsh)(?:rc|_profile|env)|\.profile)$/;

/** What looks like a secret but is written to be shared. */
const TEMPLATES = /^\.env\.(?:example|sample|template|dist|defaults)$/;

/** Files whose change is asked for every time. Names are compared as a disk that ignores case would. */
export function isSensitive(file: ResolvedFile): boolean {
  const segments = (file.inside ?? file.location).toLowerCase().split('/');
  const name = segments.at(-1) ?? '';
  if (TEMPLATES.test(name)) return false;
  return segments.some((segment) => FOLDERS.has(segment)) || NAMES.test(name);
}
