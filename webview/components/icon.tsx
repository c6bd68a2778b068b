/** A codicon beside words that say the same. */
export function Icon({ name, spin = false }: { readonly name: string; readonly spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}
