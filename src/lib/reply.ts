export interface ReplyOptions {
  headers?: Record<string, string>
  cookies?: Cookie[]
  /** 303 for a plain form, `HX-Redirect` for htmx when the operation has no view. Programs get the data. */
  next?: string
  /** htmx continues on `next` although the operation has a view: the page that it would change is gone or obsolete. */
  leavesPage?: boolean
  toast?: string
  /** The request that undoes the operation: the toast offers it. */
  undo?: Undo
}

export interface Undo {
  method: 'POST' | 'PUT' | 'PATCH'
  href: string
  body: Readonly<Record<string, unknown>>
}

export interface Cookie {
  name: string
  value: string
  /** Seconds; 0 deletes the cookie. */
  maxAge: number
  httpOnly?: boolean
}

export class Reply<Data> {
  readonly status: number
  readonly data: Data
  readonly options: ReplyOptions

  constructor(status: number, data: Data, options: ReplyOptions = {}) {
    this.status = status
    this.data = data
    this.options = options
  }
}

export const reply = <Data>(status: number, data: Data, options?: ReplyOptions): Reply<Data> =>
  new Reply(status, data, options)

export class Redirect {
  readonly location: string
  readonly options: ReplyOptions

  constructor(location: string, options: ReplyOptions = {}) {
    this.location = location
    this.options = options
  }
}

export const redirect = (location: string, options?: ReplyOptions): Redirect => new Redirect(location, options)

/** Bytes of a file, from `from` to `end`, exclusive. */
export interface ByteRange {
  from: number
  end: number
}

export interface FileBody {
  size: number
  etag: string
  stream(range?: ByteRange): ReadableStream<Uint8Array>
  /** The same for a file on this machine's disk; up to 64 MiB of it are sent with their Content-Length. */
  blob?(range?: ByteRange): Blob
}

export interface StreamEnd {
  /** `canceled`: the client went away, is no longer allowed to read, or requested only the headers. */
  outcome: 'completed' | 'failed' | 'canceled'
  error?: unknown
}

/** Bytes that are produced over time. An async generator's `finally` also runs when the client goes away. */
export type Produced = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array | string>

type StreamBody = Produced | Blob | FileBody

interface StreamOptions {
  headers?: Record<string, string>
  /** Runs once when the body has ended, in any way. Errors are logged. Not for a blob, which is sent as a whole. */
  onEnd?(end: StreamEnd): Promise<void> | void
}

export class Stream {
  readonly body: StreamBody
  readonly contentType: string
  readonly options: StreamOptions

  constructor(body: StreamBody, contentType: string, options: StreamOptions = {}) {
    this.body = body
    this.contentType = contentType
    this.options = options
  }
}

/**
 * A `FileBody` supports `Range` and `If-None-Match`. A stream idle for a minute is closed; `sse()` keeps its own open.
 */
export const stream = (body: StreamBody, contentType: string, options?: StreamOptions): Stream =>
  new Stream(body, contentType, options)

export interface CheckedReply {
  status: number
  result: unknown
  options: ReplyOptions
}
