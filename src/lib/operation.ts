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

/** What `run` gets beside its input, by kind of body. */
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

/** What an operation says of itself beside its types. */
interface OperationOptions {
  summary: string
  /** The POST makes something: 201. */
  creates?: true
  /** Fields of the output that an answer replayed by its `Idempotency-Key` omits: tokens, keys. The contract marks them optional. */
  secrets?: readonly string[]
  /** The media type of its `stream()`; `output` is then one item of it, null for a file. */
  streams?: string
  /** Its `stream()` is a file that supports ranges: 206, 304 and 416. */
  ranges?: true
  /** Headers of all its responses, including errors and OPTIONS. */
  headers?: Readonly<Record<string, string>>
  /** Where it succeeds with more than one status: each with its part of `output`. */
  answers?: Readonly<Record<number, z.ZodType>>
  /** Refusals of its own: each `code` with its status, or `default` for any. Those of the kernel are known. */
  problems?: Readonly<Record<string, number | 'default'>>
  /** It goes away: see `Deprecation`. */
  deprecated?: Deprecation
  /** The operation calls outside: it opens its own transactions around each step. */
  transaction?: false
  /**
   * Milliseconds until it is stopped: 30 s when not set, any time where the body is a stream. `call.signal` aborts then, and the caller gets 503
   * `operation_timed_out`, or 504 where it changes something outside a transaction. A stream only has to begin within it.
   */
  timeout?: number | ((provided: Provided) => number)
  /** With the permission `service`: the slugs of the services that may call it, where not every one may. */
  callers?: readonly string[]
  /** What its requests count as: `reads` or `writes` by the method when not said, nothing for null. */
  limit?: LimitClass | null
  /**
   * Takes signed requests alone, and answers 401 to all others: by a service's token for this very service, which works
   * once, with the body's `Content-Digest`. Its entries are further headers that name the person the service acts for, each with its description.
   */
  signed?: Readonly<Record<string, string>>
  /** How it takes its body: JSON or a form of 1 MiB (64 KiB on a public operation) when not set. */
  body?: BodyOptions
  /** Fields that its input doesn't name are dropped, as OAuth wants it (RFC 6749, 3.1), instead of refused. */
  unknownFields?: 'ignored'
  /** Takes `If-Match` with the ETag of what was read, and answers 409 when that is no longer the current one. */
  ifMatch?: true
  /** No row in the audit log: it changes nothing that is worth recording. */
  audit?: false
  /** Programs may call it as an action, once its definition is synced (PLT-17). */
  machine?: true
  /** It shows and changes nothing that is a person's own, where all who are signed in may do it: sessions of an organization's own provider may too. */
  personal?: false
  /** A valid input for the generated tests. */
  example?: Record<string, unknown>
}

interface Definition<Route, Access, Given, Input, Returned, Result, Kind extends BodyKind> extends OperationOptions {
  /** Method and path. Every path parameter must be a field of `input`. */
  route: Route & `${Method} /${string}`
  permission: Access
  /** Path, query and body as one object: the same object an MCP client sends. */
  input: Schema<Given, Input>
  /** The public contract. What it does not name never leaves the server. */
  output: Schema<Returned, Result>
  body?: BodyOptions<Kind>
  run(
    call: Call<Input, Caller<Access>> & BodyByKind[NoInfer<Kind>],
  ): Promise<NoInfer<Returned> | Reply<NoInfer<Returned>> | Stream>
  /** The same result as a fragment. Without it the operation speaks JSON only. */
  view?(result: Result, call: Call<Input, Caller<Access>>): JSX.Element
}

/** An operation with its types forgotten: what the router, the documents and the tests read. */
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

/** Declares one thing the product can do. */
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
