import type { ComponentChild, ComponentType, FunctionComponent } from 'preact';
import { Component, h } from 'preact';

/** Draws `view` again only when one of its properties is another value, so that a frame costs what changed. */
export function memo<Props extends object>(
  view: FunctionComponent<Props>,
  isSame: (a: Props, b: Props) => boolean = isShallowEqual,
): ComponentType<Props> {
  return class Memo extends Component<Props> {
    override shouldComponentUpdate(next: Props): boolean {
      return !isSame(this.props, next);
    }
    override render(): ComponentChild {
      return h(view, this.props);
    }
  };
}

function isShallowEqual<Props extends object>(a: Props, b: Props): boolean {
  const keys = Object.keys(b) as (keyof Props)[];
  return keys.length === Object.keys(a).length && keys.every((key) => a[key] === b[key]);
}
