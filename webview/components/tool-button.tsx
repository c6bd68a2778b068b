interface ToolButtonProps {
  readonly name: string;
  readonly icon: string;
  /** of a button that stays down */
  readonly isPressed?: boolean;
  /** it keeps the focus: a page further it may be enabled again */
  readonly isDisabled?: boolean;
  readonly act: () => void;
}

/** A button of a toolbar, by its icon. */
export function ToolButton({ name, icon, isPressed, isDisabled = false, act }: ToolButtonProps) {
  return (
    <button
      type="button"
      class={`icon-button codicon codicon-${icon}`}
      aria-label={name}
      title={name}
      aria-pressed={isPressed}
      aria-disabled={isDisabled ? true : undefined}
      onClick={() => {
        if (!isDisabled) act();
      }}
    />
  );
}
