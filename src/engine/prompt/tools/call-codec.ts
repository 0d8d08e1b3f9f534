import type { CharStream, Reading } from '../text/char-stream.ts';
import type { KnownCall } from '../probe/template-probe.ts';
import type { RenderedCalls } from '../probe/rendered-calls.ts';
import type { JsonObject, ToolCall } from '../../types.ts';
import type { ArgumentTypes } from './schema/argument-types.ts';
import type { ToolSchema } from './schema/tool-schema.ts';
import type { ArgumentsShape, CallLayout, ToolSyntax } from './tool-syntax.ts';

/** All that is done with calls of one shape. `grammar` allows and `read` reads all that `write` writes. */
export interface CallCodec<Body> {
  /** The layout of the calls that a template rendered; undefined where they have another shape. */
  derive(rendered: RenderedCalls, source: string): CallLayout | undefined;
  /** Reads one call. Throws NoCall. */
  read(body: Body, reading: CallReading): Reading<void>;
  /** Grammar text for the calls of one tool. Throws invalid_json_schema. */
  grammar(body: Body, tool: HeldTool): string;
  /** The text of a call, which is the one with this index in its turn. */
  write(body: Body, call: ToolCall, index: number): string;
}

/** The same for the arguments alone, where the name stands before them. */
export interface ArgumentsCodec<Shape> {
  /** The arguments of `call` in the text behind its name; undefined where they have another shape. */
  find(behindName: string, call: KnownCall, source: string): FoundArguments | undefined;
  read(shape: Shape, reading: CallReading, types: ArgumentTypes): Reading<void>;
  grammar(shape: Shape, tool: HeldTool): string;
  write(shape: Shape, values: JsonObject): string;
}

export interface FoundArguments {
  readonly afterName: string;
  /** Where the arguments end, counted from the end of the name. */
  readonly end: number;
  readonly shape: ArgumentsShape;
}

/** Where a codec takes text from, and the functions that take its findings. */
export interface CallReading {
  readonly chars: CharStream;
  readonly syntax: ToolSyntax;
  /** Takes the tool's name; to be called once, before any argument. */
  readonly begin: (name: string) => void;
  /** Takes the next piece of the arguments' JSON. */
  readonly argumentsPiece: (json: string) => void;
  /** The types of the arguments of the tool with this name. */
  readonly typesOf: (name: string) => ArgumentTypes;
}

/** A tool to whose schema calls are held. */
export interface HeldTool {
  readonly name: string;
  readonly syntax: ToolSyntax;
  readonly schema: ToolSchema;
}

/** Thrown where a text is no call, or ends within one. */
export class NoCall extends Error {}
