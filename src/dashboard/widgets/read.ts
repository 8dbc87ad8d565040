import type { IdentityClient, Presented } from '#identity'
import type { Outbound } from '#lib/outbound.ts'
import { maxWidgetBytes, WidgetPayload } from '#lib/widget.ts'
import { WidgetFailure } from './failure.ts'

export interface WidgetSource {
  id: string
  slug: string
  name: string
  /** Of its widget. Null for a service of this process. */
  url: string | null
  /** Whether the platform's operator chose the URL: it can be in a private network. */
  isTrusted: boolean
}

/** Null for an app without a widget. @throws WidgetFailure, OutboundError, Problem */
export type ReadWidget = (viewer: WidgetViewer, app: WidgetSource, signal: AbortSignal) => Promise<WidgetPayload | null>

interface WidgetViewer {
  presented: Presented
  /** Of the context in which the request was authenticated; null for the personal one. */
  organizationId: string | null
}

interface Parts {
  identity: Pick<IdentityClient, 'appToken'>
  /** Requests to services of this process, without a socket. */
  handle(request: Request): Promise<Response>
  /** For URLs that apps registered. */
  outbound: Outbound
  /** For those of the operator. */
  trusted: Outbound
  /** Whether tokens are sent without encryption, as in development. */
  allowsHttp: boolean
}

/** The caller's credential is exchanged for a token that this app alone takes (DSH-12). */
export const createWidgetReader =
  ({ identity, handle, outbound, trusted, allowsHttp }: Parts): ReadWidget =>
  async ({ presented, organizationId }, app, signal) => {
    if (app.url?.startsWith('http:') && !app.isTrusted && !allowsHttp)
      throw new WidgetFailure('widget_unreachable', `The widget URL of ${app.name} must begin with https://.`)
    const { token, ...issued } = await identity.appToken(presented, app.slug)
    // The session can be in another context since: its payload must not be kept for the earlier one.
    if (issued.organizationId !== organizationId)
      throw new WidgetFailure('widget_refused', 'You switched to another organization in the meantime.')
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' }
    const response =
      app.url === null
        ? await handle(new Request(`http://localhost/api/widget?app=${app.slug}`, { headers, signal }))
        : await (app.isTrusted ? trusted : outbound).fetch(app.url, {
            headers,
            signal,
            maxBytes: maxWidgetBytes,
            redirect: 'manual',
          })
    return readPayload(response, app)
  }

async function readPayload(response: Response, { slug, name }: WidgetSource): Promise<WidgetPayload | null> {
  const { status } = response
  if (status !== 200) void response.body?.cancel().catch(() => {})
  if (status === 404) return null
  if (status === 401 || status === 403) throw new WidgetFailure('widget_refused', `You don’t have access to ${name}.`)
  if (status !== 200) throw new WidgetFailure('widget_failed', `${name} responded with ${status}.`)
  const read = WidgetPayload.safeParse(await readJson(response))
  if (!read.success)
    throw new WidgetFailure('widget_invalid', `${name} responded with something that isn’t a widget.`, {
      cause: read.error,
    })
  // An app can’t pass for another one.
  return { ...read.data, app: { slug, name } }
}

async function readJson(response: Response): Promise<unknown> {
  if (!response.headers.get('content-type')?.startsWith('application/json')) return undefined
  try {
    return JSON.parse(await response.text())
  } catch {
    return undefined
  }
}
