import type { Context } from '../context.ts'
import type { RequestFacts } from '../call.ts'
import { Problem, problemDocument } from '../errors.ts'
import { pathParameters } from '../route-path.ts'
import { toObject } from '../request/to-object.ts'
import { checkInput } from '../request/input.ts'
import type { Page } from '../page.ts'
import { applyReplyOptions, redirectTo, htmlResponse, unpackReply } from '../response/respond.ts'
import { admitVisitor } from './admission.ts'
import type { RequestContext } from '../request/context.ts'
import { createCall } from './create-call.ts'
import type { HttpDependencies } from './dependencies.ts'

/** Shows a page. A cursor that its list can't read leads to the first page. */
export async function showPage(
  http: HttpDependencies,
  context: Context,
  page: Page,
  requestContext: RequestContext,
): Promise<Response> {
  const { facts } = requestContext
  return loadPage(http, context, page, requestContext).catch((error: unknown) => {
    if (!facts.url.searchParams.has('cursor') || !isWrongCursor(error)) throw error
    const first = new URL(facts.url)
    first.searchParams.delete('cursor')
    return redirectTo(first.pathname + first.search, facts)
  })
}

const isWrongCursor = (error: unknown): boolean =>
  error instanceof Problem &&
  error.status === 422 &&
  (error.options.errors?.every(({ path }) => path === 'cursor') ?? false)

/** The page of a plain form that was refused; undefined when this process doesn't serve it. */
export async function showRefusedForm(
  http: HttpDependencies,
  path: string,
  requestContext: RequestContext,
  { problem, given }: { problem: Problem; given: Readonly<Record<string, unknown>> },
): Promise<Response | undefined> {
  for (const context of http.contexts) {
    const page = context.pages.find((one) => patternOf(one.path).test(path))
    if (!page) continue
    const document = problemDocument(problem, requestContext.facts.id)
    const refused = { ...requestContext, params: paramsIn(page.path, path), refusedForm: { problem: document, given } }
    const response = await loadPage(http, context, page, refused, given)
    const headers = new Headers(response.headers)
    for (const [name, value] of Object.entries(problem.options.headers ?? {})) headers.set(name, value)
    return new Response(response.body, { status: problem.status, headers })
  }
  return undefined
}

const patternOf = (path: string): RegExp =>
  new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/:\w+/g, '([^/]+)')}$`)

const paramsIn = (pattern: string, path: string): Record<string, string> => {
  const values = patternOf(pattern).exec(path)?.slice(1) ?? []
  return Object.fromEntries(pathParameters(pattern).map((name, at) => [name, values[at] ?? '']))
}

async function loadPage(
  http: HttpDependencies,
  context: Context,
  page: Page,
  requestContext: RequestContext,
  given: Readonly<Record<string, unknown>> = {},
): Promise<Response> {
  const { facts, params } = requestContext
  const { permission, limit = 'reads' } = page
  const actor = await admitVisitor(http, requestContext, { context, permission, limit })
  const query = { ...given, ...(facts.url.search && toObject(facts.url.searchParams)), ...params }
  // Links gain parameters on their way, such as those of campaigns.
  const input = await checkInput(page.query, query, new Set(Object.keys(params)), 'ignored')
  const call = createCall(http, requestContext, page.path, actor, input)
  const loaded = await page.load(call).catch((error: unknown) => {
    if (page.gone && isRefresh(facts) && error instanceof Problem && error.status === 404) return gone
    throw error
  })
  if (loaded === gone) return htmlResponse(200, async () => page.gone?.() ?? '', facts)
  const { status, data, options } = unpackReply(loaded, false)
  if (options.next) return applyReplyOptions(redirectTo(options.next, facts), options, http.https)
  const title = typeof page.title === 'string' ? page.title : page.title(data)
  const partial = facts.headers.get('hx-request-type') === 'partial'
  const draw = async () => {
    const content = page.view(data, call)
    if (partial) return content
    const { frame = 'shell', screen, header, description } = page
    return http.frame({ frame, screen, header, description, context, title, content }, call)
  }
  return applyReplyOptions(await htmlResponse(status, draw, facts), options, http.https)
}

const gone = Symbol('gone')

const isRefresh = ({ headers }: RequestFacts): boolean => headers.has('hx-request')
