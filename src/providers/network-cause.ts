/** `cause` chains are made by others and may be long or circular. */
const MAX_DEPTH = 8;

export const PROXY_SIGN_IN =
  'The proxy asks for a sign-in (407). Set its credentials in the editor\u2019s proxy settings.';

interface SystemError extends Error {
  readonly code?: unknown;
  readonly address?: unknown;
  readonly port?: unknown;
  readonly hostname?: unknown;
  readonly errors?: unknown;
}

/** What really went wrong under a failed request, in words a person can act on. Empty where nothing is known. */
export function describeNetworkCause(error: unknown): string {
  const chain = causes(error);
  for (const link of chain) {
    const told = describeProxy(link.message) ?? describeCode(link);
    if (told !== undefined) return told;
  }
  const innermost = chain.at(-1)?.message;
  // The platform's fetch hides the answer of a proxy and gives an error without a word.
  return innermost === '' ? `No reason was given, as when this is so: ${PROXY_SIGN_IN}` : (innermost ?? '');
}

/** Innermost last; of an aggregate (several addresses were tried) the first error that has a code. */
function causes(error: unknown): readonly SystemError[] {
  const chain: SystemError[] = [];
  let link = error;
  while (link instanceof Error && chain.length < MAX_DEPTH) {
    const current: SystemError = link;
    chain.push(current);
    link = current.cause ?? (Array.isArray(current.errors) ? (current.errors as unknown[])[0] : undefined);
  }
  return chain;
}

function describeProxy(message: string): string | undefined {
  if (!/\b407\b|proxy.?auth/i.test(message)) return undefined;
  return PROXY_SIGN_IN;
}

function describeCode(error: SystemError): string | undefined {
  const { code } = error;
  if (typeof code !== 'string') return undefined;
  const where = placeOf(error);
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/.test(code))
    return `The server\u2019s certificate is not trusted (${code}): ${error.message}`;
  switch (code) {
    case 'ECONNREFUSED':
      // Of an aggregate only the parts know the address.
      if (where === '' && Array.isArray(error.errors)) return undefined;
      return `Connection refused${where} (${code}). Is the server running?`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name${where} could not be resolved (${code}).`;
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return `The connection was closed by the other side (${code}).`;
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return `The server did not answer in time${where} (${code}).`;
    default:
      return `${error.message} (${code})`;
  }
}

function placeOf({ hostname, address, port }: SystemError): string {
  if (typeof hostname === 'string') return ` ${hostname}`;
  if (typeof address !== 'string') return '';
  const host = address.includes(':') ? `[${address}]` : address;
  return typeof port === 'number' ? ` at ${host}:${port}` : ` at ${host}`;
}
