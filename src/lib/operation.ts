import type { z } from 'zod'
import type { Actor, Permission } from './actor.ts'
import type { Call, Provided } from './call.ts'
import type { LimitClass } from './limits.ts'
import type { Deprecation } from './deprecation.ts'
import type { ProblemDocument } from './errors.ts'
import type { Reply, Stream } from './reply.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type ParamsOf<Route> = Route extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<Rest>
  : Route extends `${string}:${infer Name}`
    ? Name
    : never

/** A zod schema seen only as what goes in and what comes out: far cheaper to infer than `ZodType`. */
export interface Schema<In, Out> {
  readonly _zod: { readonly input: In; readonly output: Out }
}

export type Caller<Access> = Access extends 'public' ? Actor | null : Actor

interface BodyByKind {
  json: unknown
  file: unknown
  bytes: { readonly body: Uint8Array<ArrayBuffer> }
  /** Unbuffered. Reading fails with 413 past `limit`, 408 after 20 s of silence. Not part of an `Idempotency-Key`. */
  stream: { readonly body: ReadableStream<Uint8Array> }
}
export type BodyKind = keyof BodyByKind

interface BodyOptions<Kind extends BodyKind = BodyKind> {
  as?: Kind
  limit?: number
  /** Of a `file`: a form’s files are stored on disk while `run` works, and read as streams, so they need no memory. */
  onDisk?: true
  /** The required media type of `bytes` and a `stream`, else 415; any when not set. */
  type?: string
  /** Of `bytes` that `run` parses: their schemas by media type, for the API description. */
  describedAs?: Readonly<Record<string, z.ZodType>>
}

interface OperationOptions {
  summary: string
  creates?: true
  /** Fields of the output that an answer replayed by its `Idempotency-Key` omits: tokens, keys. The contract marks them optional. */
  secrets?: readonly string[]
  /** The media type of its `stream()`; `output` is then one item of it, null for a file. */
  streams?: string
  /** Other paths of the same operation, for clients that can’t use its own. Not in the API description. */
  aliases?: readonly string[]
  /** Its response is `output`, or a `stream()` of this media type when the request asks for one. */
  streamsOnRequest?: string
  /** Its `stream()` is a file that supports ranges: 206, 304 and 416. */
  ranges?: true
  headers?: Readonly<Record<string, string>>
  answers?: Readonly<Record<number, z.ZodType>>
  /** The `code`s of its own problems with their status or statuses, or `default` for any. Those of the kernel are added. */
  problems?: Readonly<Record<string, number | 'default' | number[]>>
  deprecated?: Deprecation
  /** It calls other servers, so it opens its own transactions. */
  transaction?: false
  /**
   * Milliseconds; 30 s when not set, none for a streamed body. Then `call.signal` aborts, and the caller gets 503, or
   * 504 where something can have changed. A stream only has to begin within it.
   */
  timeout?: number | ((provided: Provided) => number)
  /** With the permission `service`: the slugs of the services that can call it; all when not set. */
  callers?: readonly string[]
  /** Services can also call it, with a token for this service instead of the permission. */
  services?: true
  /** Also takes tokens that are good for this service alone, and for nothing else (DSH-12). */
  appTokens?: true
  /** A header that holds the credential when there is no `Authorization`, such as the `x-api-key` of a client. */
  keyHeader?: string
  /** Members that its problems have besides those of RFC 9457, as the clients of another API expect them. */
  problemMembers?(problem: ProblemDocument): Record<string, unknown>
  /** Rate limit of its requests: `reads` or `writes` by the method when not set; null for none. */
  limit?: LimitClass | null
  /** Requires a service's token, valid once, and `Content-Digest`, else 401. Entries: headers that name its user. */
  signed?: Readonly<Record<string, string>>
  /** JSON or a form of at most 1 MiB (64 KiB for a public operation) when not set. */
  body?: BodyOptions
  /** The path of the page whose plain form sends it: a refusal shows that page again, with what was entered. */
  formPage?(given: Readonly<Record<string, unknown>>): string
  /** Drops unknown fields, as OAuth requires (RFC 6749, 3.1), instead of refusing them. */
  unknownFields?: 'ignored'
  /** Whether `input` surely takes the data as it is: then it isn’t parsed, which saves time where many requests are alike. */
  isPlain?(given: unknown): boolean
  /** Supports `If-Match`: 409 when the ETag isn't current. */
  ifMatch?: true
  audit?: false
  /** Programs can call it as an action, once its definition is synced (PLT-17). */
  machine?: true
  /** With the permission `signed-in`: allows sessions of an organization's identity provider, since no personal data is involved. */
  personal?: false
  example?: Record<string, unknown>
}

interface Definition<Route, Access, Given, Input, Returned, Result, Kind extends BodyKind> extends OperationOptions {
  route: Route & `${Method} /${string}`
  permission: Access
  input: Schema<Given, Input>
  /** The public contract. Other fields are removed. */
  output: Schema<Returned, Result>
  body?: BodyOptions<Kind>
  run(
    call: Call<Input, Caller<Access>> & BodyByKind[NoInfer<Kind>],
  ): Promise<NoInfer<Returned> | Reply<NoInfer<Returned>> | Stream>
  view?(result: Result, call: Call<Input, Caller<Access>>): JSX.Element
  /** Of a GET: replaces a part that reloads itself after its object was deleted (`run` throws 404). */
  gone?(): JSX.Element
}

export interface Operation extends OperationOptions {
  route: string
  permission: Permission
  input: z.ZodType
  output: z.ZodType
  run(call: Call & { readonly body?: unknown }): Promise<unknown>
  view?(result: unknown, call: Call): JSX.Element
  gone?(): JSX.Element
}

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
