import type { ToolSchema } from '../model/entry.ts';
import { AbortedError, ToolError } from '../model/errors.ts';
import { boundText, MAX_RESULT_CHARS } from '../text/bound-text.ts';
import type { PreparedCall, Tool, ToolContext, ToolOutput } from './define-tool.ts';

/** The tools a session offers. */
export interface ToolSet {
  /** sorted by name, so that the request's prefix never depends on who registered first */
  readonly schemas: readonly ToolSchema[];
  /** whether a tool gives its results in pages, see {@link Tool.isPaged}; false where there is none of that name */
  isPaged(name: string): boolean;
  /**
   * First half of a call, see {@link PreparedCall}. In restricted mode nothing is prepared.
   * @throws ToolError, AbortedError
   */
  prepare(name: string, input: unknown, context: ToolContext): Promise<PreparedCall>;
}

export function createToolSet(tools: readonly Tool[]): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.schema.name, tool]));
  const schemas = [...byName.values()].map((tool) => tool.schema).sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    schemas,
    isPaged: (name) => byName.get(name)?.isPaged ?? false,
    async prepare(name, input, context) {
      const tool = byName.get(name);
      if (tool === undefined) throw unknownTool(name, schemas);
      if (!context.workspace.isTrusted())
        throw new ToolError('restricted', 'The workspace is not trusted, so no tool runs in it.');
      return tool.prepare(input, context);
    },
  };
}

function unknownTool(name: string, schemas: readonly ToolSchema[]): ToolError {
  const names = schemas.map((schema) => schema.name).join(', ');
  return new ToolError('unknown_tool', `There is no tool "${name}". The tools are: ${names}.`);
}

/**
 * The one place where a thrown value becomes an error result for the model.
 * @throws AbortedError as it is: a stop is not an answer
 */
export function toolErrorResult(error: unknown): ToolOutput & { readonly content: string } {
  if (error instanceof AbortedError) throw error;
  const message = error instanceof Error ? error.message : String(error);
  const text = error instanceof ToolError ? message : `The tool failed: ${message}`;
  return { content: boundText(text, MAX_RESULT_CHARS), isError: true };
}
