import type { Context } from './context.ts'
import type { Endpoint, OpenApiDocument } from './openapi/document.ts'
import { endpointOf, type NamedOperation } from './openapi/endpoint.ts'
import { eventEndpoint } from './openapi/event.ts'
import { aboutMarkdown } from './openapi/about.ts'
import { Problem } from './openapi/problems.ts'
import { createSchemas, type Schemas } from './openapi/schemas.ts'
import { groupOf, pathIn, tagOf } from './openapi/tag.ts'
import { challengeEndpoint, webhookEndpoint } from './openapi/webhook.ts'
import { titleOfName } from './text.ts'

export type { OpenApiDocument } from './openapi/document.ts'

interface ServerInfo {
  info: { title: string; version: string; summary?: string }
  url: string
  sessionCookie: string
}

/** The OpenAPI 3.1 document of these contexts, from the schemas that validate requests (PLT-15). */
export function openApiDocument(contexts: readonly Context[], server: ServerInfo): OpenApiDocument {
  const steps = openApiSteps(contexts, server)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** The same in steps of a few milliseconds, so that other work can run in between. */
export function* openApiSteps(
  contexts: readonly Context[],
  { info, url, sessionCookie }: ServerInfo,
): Generator<void, OpenApiDocument> {
  const problem: Context = { slug: '', operations: {}, pages: [], webhooks: [], jobs: [], contract: { Problem } }
  const schemas = createSchemas([problem, ...contexts])
  schemas.outputSchema(Problem)
  const operations = contexts.flatMap((context) =>
    Object.entries(context.operations)
      .filter(([, { route }]) => !isElsewhere(contexts, context, route))
      .map(([name, operation]): NamedOperation => ({
        name,
        tag: tagOf(context, operation.route),
        operation,
        refusesTestKeys: context.refusesTestKeys !== undefined,
      })),
  )
  for (const { operation } of operations) {
    for (const part of Object.values(operation.answers ?? [operation.output])) schemas.outputSchema(part)
    yield
  }
  const webhooks = eventsOf(contexts, schemas)
  const endpoints: Entry[] = []
  for (const named of operations) {
    endpoints.push([named.operation.route, endpointOf(named, schemas)])
    yield
  }
  const entries = [
    ...endpoints,
    ...contexts.flatMap((context) =>
      context.webhooks.flatMap((hook): Entry[] => {
        const tag = tagOf(context, hook.path)
        const post: Entry = [`POST ${hook.path}`, webhookEndpoint(hook, tag)]
        return hook.challenge ? [post, [`GET ${hook.path}`, challengeEndpoint(hook, tag)]] : [post]
      }),
    ),
  ]
  const paths = pathsOf(entries)
  return {
    openapi: '3.1.1',
    info: { ...info, description: aboutMarkdown },
    servers: [{ url, description: 'This server' }],
    tags: tagsOf(entries),
    'x-tagGroups': groupsOf(contexts),
    paths,
    webhooks,
    components: { schemas: schemas.components([paths, webhooks]), securitySchemes: securitySchemes(sessionCookie) },
  }
}

const eventsOf = (contexts: readonly Context[], schemas: Schemas): OpenApiDocument['webhooks'] =>
  Object.fromEntries(
    contexts.flatMap(({ events = [] }) => events).map((event) => [event.type, { post: eventEndpoint(event, schemas) }]),
  )

/** Of a path that several services have, the description has the one that answers without a host or `?app=`. */
function isElsewhere(contexts: readonly Context[], own: Context, route: string): boolean {
  const [, path = ''] = route.split(' ')
  const same = contexts.filter(({ operations }) =>
    Object.values(operations).some((operation) => operation.route === route),
  )
  const answering = same.find(({ defaultPaths = [] }) => defaultPaths.includes(path)) ?? same[0]
  return answering?.slug !== own.slug
}

type Entry = [route: string, endpoint: Endpoint]

const tagsOf = (entries: Entry[]): OpenApiDocument['tags'] =>
  [...new Set(entries.flatMap(([, { tags }]) => tags))].map((name) => ({
    name,
    'x-displayName': titleOfName(name),
    description: `${titleOfName(name).replace(/s$/, '')} operations.`,
  }))

function groupsOf(contexts: readonly Context[]): OpenApiDocument['x-tagGroups'] {
  const groups = new Map<string, Set<string>>()
  for (const context of contexts) {
    const group = groupOf(context)
    const tags = groups.get(group) ?? new Set()
    for (const { route } of Object.values(context.operations)) tags.add(tagOf(context, route))
    for (const { path } of context.webhooks) tags.add(tagOf(context, path))
    if (tags.size > 0) groups.set(group, tags)
  }
  return [...groups].map(([name, tags]) => ({ name: titleOfName(name), tags: [...tags] }))
}

function pathsOf(entries: Entry[]): OpenApiDocument['paths'] {
  const paths: OpenApiDocument['paths'] = {}
  const sorted = entries.toSorted(([one], [other]) => (pathIn(one) < pathIn(other) ? -1 : 1))
  for (const [route, endpoint] of sorted) {
    const [method = '', path = ''] = route.split(' ')
    const at = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[at] = { ...paths[at], [method.toLowerCase()]: endpoint }
  }
  return paths
}

const securitySchemes = (sessionCookie: string): Record<string, Record<string, string>> => ({
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'An API key, or an access token from `POST /api/auth/login`, which expires after 10 minutes.',
  },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session cookie of a browser.' },
})
