import type { z } from 'zod'
import type { Actor, Permission } from './actor.ts'
import type { Call, Provided } from './call.ts'
import type { LimitClass } from './limits.ts'
import type { Deprecation } from './deprecation.ts'
import type { Reply, Stream } from './reply.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The names of a route's path parameters. */
export type ParamsOf<Route> = Route extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Route extends `${string}:${infer Name}`
    ? Name
    : never

/** A zod schema seen only as what goes in and what comes out: far cheaper to infer than `ZodType`. */
export interface Schema<In, Out> {
  readonly _zod: { readonly input: In; readonly output: Out }
}

/** The caller's type by permission: public routes have no actor. */
export type Caller<Access> = Access extends 'public' ? Actor | null : Actor

/** Additional properties of the call, by kind of body. */
interface BodyByKind {
  /** JSON or a form, whose fields are the input's. */
  json: unknown
  /** The same, with a file of at most `limit` bytes in the field `file`: a part of a form, or an image as the whole body. */
  file: unknown
  /** The raw bytes, in memory. The input only has the fields of path and query. */
  bytes: { readonly body: Uint8Array<ArrayBuffer> }
  /**
   * The bytes as they arrive, unbuffered. Reading fails with 413 past `limit`, and with 408 when the sender is silent for
   * 20 s. An `Idempotency-Key` only covers the input.
   */
  stream: { readonly body: ReadableStream<Uint8Array> }
}
export type BodyKind = keyof BodyByKind

interface BodyOptions<Kind extends BodyKind = BodyKind> {
  /** `json` when not set. */
  as?: Kind
  /** Bytes; more is 413. */
  limit?: number
  /** The required media type of `bytes` and a `stream`, else 415; any when not set. */
  type?: string
}

interface OperationOptions {
  summary: string
  /** The POST creates an object: 201. */
  creates?: true
  /** Fields of the output that an answer replayed by its `Idempotency-Key` omits: tokens, keys. The contract marks them optional. */
  secrets?: readonly string[]
  /** The media type of its `stream()`; `output` is then one item of it, null for a file. */
  streams?: string
  /** Its `stream()` is a file that supports ranges: 206, 304 and 416. */
  ranges?: true
  /** Headers of all its responses, including errors and OPTIONS. */
  headers?: Readonly<Record<string, string>>
  /** For several success statuses: each with its part of `output`. */
  answers?: Readonly<Record<number, z.ZodType>>
  /** The `code`s of its own problems with their status, or `default` for any. Those of the kernel are added. */
  problems?: Readonly<Record<string, number | 'default'>>
  deprecated?: Deprecation
  /** It calls other servers, so it opens its own transactions. */
  transaction?: false
  /**
   * Milliseconds until it is stopped: 30 s when not set, any time where the body is a stream. `call.signal` aborts then, and the caller gets 503
   * `operation_timed_out`, or 504 where it changes something outside a transaction. A stream only has to begin within it.
   */
  timeout?: number | ((provided: Provided) => number)
  /** With the permission `service`: the slugs of the services that can call it; all when not set. */
  callers?: readonly string[]
  /** Rate limit of its requests: `reads` or `writes` by the method when not set; null for none. */
  limit?: LimitClass | null
  /**
   * Requires signed requests, otherwise 401: with a service's token for this service, valid once, and the body's
   * `Content-Digest`. The entries are headers that name the user that the service acts for, with their descriptions.
   */
  signed?: Readonly<Record<string, string>>
  /** JSON or a form of at most 1 MiB (64 KiB for a public operation) when not set. */
  body?: BodyOptions
  /** Drops unknown fields, as OAuth requires (RFC 6749, 3.1), instead of refusing them. */
  unknownFields?: 'ignored'
  /** Supports `If-Match`: 409 when the ETag isn't current. */
  ifMatch?: true
  audit?: false
  /** Programs can call it as an action, once its definition is synced (PLT-17). */
  machine?: true
  /** With the permission `signed-in`: allows sessions of an organization's identity provider, since no personal data is involved. */
  personal?: false
  /** A valid input for the generated tests. */
  example?: Record<string, unknown>
}

interface Definition<Route, Access, Given, Input, Returned, Result, Kind extends BodyKind> extends OperationOptions {
  /** Method and path. Every path parameter must be a field of `input`. */
  route: Route & `${Method} /${string}`
  permission: Access
  /** Path, query and body as one object, as MCP clients send it. */
  input: Schema<Given, Input>
  /** The public contract. Other fields are removed. */
  output: Schema<Returned, Result>
  body?: BodyOptions<Kind>
  run(
    call: Call<Input, Caller<Access>> & BodyByKind[NoInfer<Kind>],
  ): Promise<NoInfer<Returned> | Reply<NoInfer<Returned>> | Stream>
  /** The result as an HTML fragment. Without it the operation only responds with JSON. */
  view?(result: Result, call: Call<Input, Caller<Access>>): JSX.Element
}

/** An operation without its type parameters. */
export interface Operation extends OperationOptions {
  route: string
  permission: Permission
  input: z.ZodType
  output: z.ZodType
  run(call: Call & { readonly body?: unknown }): Promise<unknown>
  view?(result: unknown, call: Call): JSX.Element
}

/** An operation with the types of its input and result, for `call.ask`. */
export interface TypedOperation<Given, Result> extends Operation {
  input: z.ZodType<unknown, Given>
  output: z.ZodType<Result>
}

export const operation = <
  const Route extends string,
  const Access extends Permission,
  Given,
  Input extends Record<ParamsOf<Route>, unknown>,
  Returned,
  Result,
  Kind extends BodyKind = 'json',
>(
  definition: Definition<Route, Access, Given, Input, Returned, Result, Kind>,
): TypedOperation<Given, Result> => definition as never
