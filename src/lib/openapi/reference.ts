import type { Endpoint, JsonSchema, OpenApiDocument, Parameter } from './document.ts'
import { exampleOf } from './example.ts'
import { formatField, formatFields, schemasIn, formatType, type FieldDoc } from './fields.ts'

export interface OperationSummary {
  id: string
  tag: string
  method: string
  path: string
  summary: string
  permission: string
  deprecated: boolean
}

export interface ResponseDoc {
  status: string
  description: string
  codes: readonly string[]
  type?: string
  schema?: string
  fields: FieldDoc[]
}

export interface OperationDoc extends OperationSummary {
  deprecation?: string
  parameters: { path: FieldDoc[]; query: FieldDoc[]; header: FieldDoc[] }
  body: { type: string; schema?: string; fields: FieldDoc[] } | null
  responses: ResponseDoc[]
  problems: ResponseDoc[]
  curl: string
  example: string | null
}

interface SchemaDoc {
  name: string
  type: string
  fields: FieldDoc[]
}

export type TagGroups = OpenApiDocument['x-tagGroups']

const entriesOf = ({ paths }: OpenApiDocument) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ method: method.toUpperCase(), path, endpoint })),
  )

export const summariesOf = (document: OpenApiDocument): OperationSummary[] => entriesOf(document).map(summaryOf)

export function tagDocOf(document: OpenApiDocument, tag: string) {
  const entries = entriesOf(document).filter(({ endpoint }) => endpoint.tags.includes(tag))
  if (entries.length === 0) return null
  const names = schemasIn(
    entries.map(({ endpoint }) => endpoint),
    document,
  )
  const schemas = names.map((name): SchemaDoc => {
    const schema = document.components.schemas[name] ?? {}
    return { name, type: formatType(schema), fields: formatFields(schema) }
  })
  return { tag, operations: entries.map((entry) => formatOperation(entry, document)), schemas }
}

interface Entry {
  method: string
  path: string
  endpoint: Endpoint
}

const summaryOf = ({ method, path, endpoint }: Entry): OperationSummary => ({
  id: endpoint.operationId,
  tag: endpoint.tags[0] ?? '',
  method,
  path,
  summary: endpoint.summary,
  permission: endpoint['x-permission'],
  deprecated: endpoint.deprecated ?? false,
})

function formatOperation(entry: Entry, document: OpenApiDocument): OperationDoc {
  const { endpoint } = entry
  const { parameters = [], responses, description } = endpoint
  const at = (place: Parameter['in']) =>
    parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, schema, required, description: words }) =>
        formatField(name, { ...schema, ...(words && { description: words }) }, required),
      )
  const documented = Object.entries(responses).map(([status, response]): ResponseDoc => {
    const { 'x-itemSchema': item, schema } = Object.values(response.content ?? {})[0] ?? {}
    return {
      status,
      description: response.description,
      codes: response['x-codes'] ?? [],
      ...formatContent(item ?? schema),
    }
  })
  return {
    ...summaryOf(entry),
    ...(description && { deprecation: description }),
    parameters: { path: at('path'), query: at('query'), header: at('header') },
    body: formatBody(endpoint),
    responses: documented.filter(({ status }) => status.startsWith('2')),
    problems: documented.filter(({ status }) => !status.startsWith('2')),
    curl: curlOf(entry, document),
    example: answerExample(endpoint, document),
  }
}

function formatContent(schema: JsonSchema | undefined) {
  if (!schema) return { fields: [] }
  const { type, schema: named, fields } = formatField('', schema, true)
  return { type, ...(named && { schema: named }), fields }
}

function formatBody({ requestBody }: Endpoint): OperationDoc['body'] {
  const content = Object.values(requestBody?.content ?? {})[0]
  return content ? { type: '', ...formatContent(content.schema) } : null
}

function answerExample({ responses }: Endpoint, document: OpenApiDocument): string | null {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const { 'x-itemSchema': item, schema } = Object.values(success?.content ?? {})[0] ?? {}
  const shown = item ?? schema
  if (!shown) return null
  return JSON.stringify(exampleOf(shown, document, 'all'), null, item ? 0 : 2)
}

function curlOf({ method, path, endpoint }: Entry, document: OpenApiDocument): string {
  const { parameters = [], requestBody, security } = endpoint
  const needed = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const query = needed.map(({ name, schema }) => `${name}=${String(exampleOf(schema, document, 'required'))}`)
  const target = `"$ATRIUM${path}${query.length > 0 ? `?${query.join('&')}` : ''}"`
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const body = content && (content.example ?? exampleOf(content.schema, document, 'required'))
  return [
    `curl ${method === 'GET' || (method === 'POST' && type) ? '' : `-X ${method} `}${target}`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(type === 'multipart/form-data' ? ['-F file=@picture.jpg'] : []),
    ...(type === 'application/json' ? [`--json '${JSON.stringify(body, null, 2)}'`] : []),
  ].join(' \\\n  ')
}
