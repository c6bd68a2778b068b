/** Words for somebody who listens, where the eye needs none: what a figure counts, where one thing ends. */
export function Heard({ children }: { readonly children: string }) {
  return <span class="visually-hidden">{children}</span>;
}
