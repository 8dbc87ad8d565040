import { join } from 'node:path'
import { requireOwnSession } from '../authorize.ts'
import type { Call } from '../call.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors.ts'
import type { Operation } from '../operation.ts'
import type { CheckedReply } from '../reply.ts'
import { streamBody } from '../request/body-stream.ts'
import { publicBodyLimit, readBody, readBytes, requireType } from '../request/body.ts'
import { requireDigest } from '../request/content-digest.ts'
import { pageOfForm, type RequestContext } from '../request/context.ts'
import { checkInput } from '../request/input.ts'
import { isForm, readSpooledForm } from '../request/spooled-form.ts'
import { toObject } from '../request/to-object.ts'
import { itemSchemaOf, wantedFormat, writePage } from '../response/list-formats.ts'
import { applyReplyOptions, redirectTo, htmlResponse, jsonResponse, textResponse } from '../response/respond.ts'
import { admit, checkOrigin, recheck } from './admission.ts'
import { Interrupted } from './answer.ts'
import { createCall } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'
import { startDeadline, perform } from './perform.ts'
import { showRefusedForm } from './show-page.ts'

/** protect → authenticate → authorize → parse → run → JSON or HTML. */
export async function runOperation(
  http: HttpDependencies,
  context: Context,
  [name, operation]: readonly [string, Operation],
  requestContext: RequestContext,
): Promise<Response> {
  const { request, facts, params } = requestContext
  checkOrigin(http, request, facts)
  const { permission, callers, services, appTokens, keyHeader } = operation
  const { limit = request.method === 'GET' ? 'reads' : 'writes' } = operation
  const signed = operation.signed !== undefined
  const requirements = { context, permission, callers, services, appTokens, keyHeader, limit, signed }
  const actor = await admit(http, requestContext, requirements)
  if (permission === 'signed-in' && operation.personal !== false) requireOwnSession(actor)
  const item = request.method === 'GET' ? itemSchemaOf(operation) : null
  const format = item ? wantedFormat(facts, operation) : 'json'
  const since = http.now()
  const check = () => recheck(http, requestContext, { ...requirements, since })
  const { given, body, close } = await receiveInput(http, requestContext, operation, check)
  const performOnInput = async () => {
    const input = operation.isPlain?.(given)
      ? given
      : await checkInput(operation.input, given, new Set(Object.keys(params)), operation.unknownFields)
    const plain = createCall(http, requestContext, name, actor, input)
    const call = body ? { ...plain, body } : plain
    const sent = body instanceof Uint8Array ? [given, new Blob([body])] : given
    const invocation = { method: request.method, given: sent, check }
    const done = await perform(http, operation, call, invocation)
      .catch((error: unknown) => showGone(operation, facts, error))
      .finally(() => cancelUnread(body))
    return { call, done }
  }
  const performed = await (close ? performOnInput().finally(close) : performOnInput()).catch((error: unknown) =>
    showFormAgain(http, operation, requestContext, { error, given }),
  )
  if (performed instanceof Response) return performed
  const { call, done } = performed
  if (done instanceof Response) return done
  if (item && format !== 'json') {
    const { text, headers } = writePage(format, { item, name, page: done.result }, facts)
    return applyReplyOptions(textResponse(done.status, text, headers, facts), done.options, http.https)
  }
  return respond(http, operation, call, done).catch((error: unknown) => {
    if (request.method === 'GET') throw error
    if (error instanceof Problem && error.status < 500) return respondWithoutView(http, call, done)
    throw new Interrupted('saved', error)
  })
}

/** A plain form that was refused is shown again with its input, since no script has kept it. @throws other errors */
async function showFormAgain(
  http: HttpDependencies,
  { formPage }: Operation,
  requestContext: RequestContext,
  { error, given }: { error: unknown; given: unknown },
): Promise<Response> {
  const { html, headers, method } = requestContext.facts
  const isPlainForm = html && method !== 'GET' && !headers.has('hx-request')
  if (!formPage || !isPlainForm || !(error instanceof Problem) || error.status >= 500 || error.status === 404)
    throw error
  const entered: Record<string, unknown> = typeof given === 'object' && given !== null ? { ...given } : {}
  const page = await showRefusedForm(http, formPage(entered), requestContext, { problem: error, given: entered })
  if (!page) throw error
  return page
}

/** What replaces an object that was deleted since htmx showed it. */
function showGone({ gone }: Operation, facts: RequestContext['facts'], error: unknown): Promise<Response> {
  if (gone && facts.headers.has('hx-request') && error instanceof Problem && error.status === 404)
    return htmlResponse(200, async () => gone(), facts)
  throw error
}

/** For a caller who can change something but not read what its view shows: the change is saved. */
function respondWithoutView(http: HttpDependencies, { request: facts }: Call, { options }: CheckedReply): Response {
  const response = options.next
    ? redirectTo(options.next, facts)
    : new Response(null, { status: 200, headers: { 'HX-Reswap': 'none' } })
  return applyReplyOptions(response, options, http.https)
}

/** Cancels an unread body, which would otherwise be buffered in memory. */
function cancelUnread(body: ReceivedInput['body']): void {
  if (body instanceof ReadableStream && !body.locked) void body.cancel().catch(() => {})
}

interface ReceivedInput {
  /** Path, query and body as one object. The path takes precedence. */
  given: unknown
  body?: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  /** Of the files of a form. */
  close?(): Promise<void>
}

async function receiveInput(
  { paths: { shared }, provided }: HttpDependencies,
  requestContext: RequestContext,
  operation: Operation,
  recheckActor: () => Promise<void>,
): Promise<ReceivedInput> {
  const { request, facts, params, actor } = requestContext
  const query = facts.url.search ? toObject(facts.url.searchParams) : {}
  // It chose the service before.
  if (operation.route.replace(/^\w+ /, '') in shared) delete query['app']
  // It chose the format of the response.
  if (request.method === 'GET' && itemSchemaOf(operation)) delete query['format']
  const check = operation.signed && ((bytes: Uint8Array) => requireDigest(request.headers, bytes))
  if (request.method === 'GET') {
    check?.(new Uint8Array(0))
    return { given: { ...query, ...params } }
  }
  const { permission, body: declared = {} } = operation
  const { as: kind, limit = permission === 'public' ? publicBodyLimit : undefined, type } = declared
  if (kind === 'bytes' || kind === 'stream') {
    requireType(request, type)
    if (kind === 'stream') {
      const stream = streamBody(request, { limit, signal: requestContext.signal, check: recheckActor })
      return { given: { ...query, ...params }, body: stream }
    }
    const body = await readBytes(request, { limit })
    check?.(body)
    return { given: { ...query, ...params }, body }
  }
  if (declared.onDisk && isForm(request)) {
    const folder = join(provided.config.DATA_DIR, 'uploads')
    const tenant = actor?.organization?.id ?? actor?.principal.id ?? ''
    const { signal } = requestContext
    const { fields, close } = await readSpooledForm(request, { limit, signal, check: recheckActor, folder, tenant })
    return { given: { ...query, ...fields, ...params }, close }
  }
  const body = await readBody(request, kind === 'file' ? { upload: limit, check } : { limit, check })
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { given: body }
  return { given: { ...query, ...body, ...params } }
}

/** RFC 7240: of a button that stands on another page than the object’s, which must not be left. */
const isMinimal = ({ headers }: Call['request']): boolean => /\breturn=minimal\b/.test(headers.get('prefer') ?? '')

const noContent = () => new Response(null, { status: 204, headers: { 'Preference-Applied': 'return=minimal' } })

async function respond(
  http: HttpDependencies,
  operation: Operation,
  call: Call,
  done: CheckedReply,
): Promise<Response> {
  const { status, result, options } = done
  const { request: facts } = call
  const { view } = operation
  if (facts.html && isMinimal(facts)) return applyReplyOptions(noContent(), { toast: 'Done', ...options }, http.https)
  const stays = view && options.leavesPage !== true && facts.headers.has('hx-request')
  const next = options.next ?? pageOfForm(facts)
  if (facts.html && next && !stays) return applyReplyOptions(redirectTo(next, facts), options, http.https)
  const response =
    facts.html && view
      ? // 204 has no body, and htmx swaps nothing for it.
        await draw(operation, call, () => htmlResponse(status === 204 ? 200 : status, () => view(result, call), facts))
      : status === 204
        ? new Response(null, { status })
        : jsonResponse(status, result, facts)
  return applyReplyOptions(response, options, http.https)
}

/** A view can ask operations, so it has the operation's timeout again. */
async function draw(operation: Operation, call: Call, render: () => Promise<Response>): Promise<Response> {
  const deadline = startDeadline(operation, call)
  return deadline.within(render).finally(() => deadline.clear())
}
