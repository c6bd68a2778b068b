import * as z from 'zod';
import type { Entry, FileSeen, ToolDetails, ToolSchema } from '../model/entry.ts';
import { ToolError } from '../model/errors.ts';
import type { ResultBlock } from '../model/content.ts';
import type { MemoryOrigin } from '../model/memory.ts';
import type { Clock } from '../ports/clock.ts';
import type { FileLocation, FilePort, WorkspacePort, WorkspaceRoot } from '../ports/files.ts';
import type { Hash } from '../ports/hash.ts';
import type { OutputSink } from '../ports/output-sink.ts';
import type { ProjectMemoryPort } from '../ports/project-memory.ts';
import type { SearchPort } from '../ports/search.ts';
import type { ShellPort } from '../ports/shell.ts';
import type { TextCodec } from '../ports/text-codec.ts';

/** What one call works with. */
export interface ToolContext {
  readonly files: FilePort;
  readonly workspace: WorkspacePort;
  readonly shell: ShellPort;
  readonly search: SearchPort;
  readonly codec: TextCodec;
  readonly hash: Hash;
  /** files as the model last saw them, by {@link FileSeen.file}; kept by `rememberSeen` */
  readonly seen: ReadonlyMap<FileLocation, FileSeen>;
  /** the session's log as it is now */
  readonly transcript: () => readonly Entry[];
  /** the session, and the message that the call stands in */
  readonly origin: MemoryOrigin;
  /** absent where the project has none */
  readonly memory?: ProjectMemoryPort;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** output as it comes, for people: plain text, bounded */
  readonly onOutput: (text: string) => void;
  /** for tools whose output may be endless: what is written here is kept whole, what the result says is a part of it */
  readonly sink: OutputSink;
}

/** A file or folder that a call names, by its real path. */
export interface ResolvedFile {
  /** every link resolved: what is opened, and what the rules are applied to */
  readonly location: FileLocation;
  /** what it is called: relative to its root, with the root's name where there are several, absolute outside */
  readonly label: string;
  /** the folder of the workspace it is in; absent outside the workspace */
  readonly root?: WorkspaceRoot;
  /** path below the root, forward slashes, empty for the root itself; absent outside the workspace */
  readonly inside?: string;
}

/** What a call wants to do: the approval rules read this and nothing else. */
export type Access =
  | { readonly kind: 'read'; readonly files: readonly ResolvedFile[] }
  | { readonly kind: 'edit'; readonly files: readonly ResolvedFile[] }
  /** of what is remembered of the project */
  | { readonly kind: 'memory' }
  | { readonly kind: 'command'; readonly line: string; readonly cwd: ResolvedFile };

/**
 * A call that is validated and resolved, and has changed nothing yet: decide on `access`, log the intent, then execute.
 * Calls that change files are prepared one after the other, each after the one before it was executed: an edit is
 * prepared against the file as it is then.
 */
export interface PreparedCall {
  readonly access: Access;
  /** what the call is about, in a few words */
  readonly target: string;
  /** the change an edit will make, as a unified patch; bounded */
  readonly patch?: string;
  /**
   * Does it, once; a tool that pages its results may be asked again, for a smaller page. An edit is made only if the file
   * still is what was prepared.
   * @param maxChars most characters of the result, {@link MAX_RESULT_CHARS} by default; only tools that page keep to less
   * @throws ToolError, AbortedError
   */
  execute(maxChars?: number): Promise<ToolOutput>;
}

export interface ToolOutput {
  /** for the model: well-formed Unicode, never blank */
  readonly content: string | readonly ResultBlock[];
  readonly isError?: boolean;
  readonly details?: ToolDetails;
}

export interface Tool {
  readonly schema: ToolSchema;
  /** it gives its results in pages: they are never kept in a file, the rest is a call away */
  readonly isPaged: boolean;
  /**
   * Validates what the model wrote, resolves its paths and computes the change; writes nothing.
   * @throws ToolError, AbortedError
   */
  prepare(input: unknown, context: ToolContext): Promise<PreparedCall>;
}

export interface ToolDefinition<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly description: string;
  readonly isPaged?: boolean;
  /** every field described: the descriptions are all that the model knows of them */
  readonly input: Shape;
  prepare(input: z.output<z.ZodObject<Shape>>, context: ToolContext): Promise<PreparedCall>;
}

export function defineTool<Shape extends z.ZodRawShape>(definition: ToolDefinition<Shape>): Tool {
  // Strict: a misspelt field must come back as an error, not silently do something else.
  const input = z.strictObject(definition.input);
  return {
    schema: { name: definition.name, description: definition.description, inputSchema: jsonSchema(input) },
    isPaged: definition.isPaged ?? false,
    async prepare(raw, context) {
      const parsed = input.safeParse(raw);
      if (!parsed.success) throw invalidInput(definition.name, parsed.error, Object.keys(definition.input));
      return definition.prepare(parsed.data, context);
    },
  };
}

function jsonSchema(input: z.ZodType): Readonly<Record<string, unknown>> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(input, { io: 'input', target: 'draft-2020-12' });
  return schema;
}

function invalidInput(tool: string, error: z.ZodError, fields: readonly string[]): ToolError {
  const problems = error.issues.map((issue) => {
    const field = issue.path.join('.');
    return field === '' ? issue.message : `${field}: ${issue.message}`;
  });
  return new ToolError(
    'invalid_input',
    `The input of ${tool} is not valid, so nothing was done.\n` +
      problems.map((problem) => `- ${problem}`).join('\n') +
      `\nIts fields are: ${fields.join(', ')}.`,
    { cause: error },
  );
}
