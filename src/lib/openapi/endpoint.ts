import { newId } from '../ids.ts'
import type { ZodType } from 'zod'
import { formats, itemSchemaOf, listFormats } from '../response/list-formats.ts'
import type { Operation } from '../operation.ts'
import { pathParameters } from '../route-path.ts'
import type { Content, Endpoint, JsonSchema, Parameter, ResponseObject } from './document.ts'
import { problemResponses } from './problems.ts'
import type { Schemas } from './schemas.ts'

export interface NamedOperation {
  name: string
  tag: string
  operation: Operation
  refusesTestKeys: boolean
}

export function endpointOf({ name, tag, operation, refusesTestKeys }: NamedOperation, schemas: Schemas): Endpoint {
  const [method = '', path = ''] = operation.route.split(' ')
  const success = successOf(operation, schemas)
  const input = schemas.inputSchema(operation.input)
  const { parameters: own, body } = splitInput(isRaw(operation) ? 'GET' : method, path, input, schemas)
  const item = itemSchemaOf(operation)
  const parameters = item ? [...own, format] : own
  const { permission, summary, deprecated } = operation
  const facts = {
    operation,
    refusesTestKeys,
    method,
    takesBody: method !== 'GET',
    takesInput: parameters.length > 0 || body !== null,
    takesIds: parameters.some((parameter) => parameter.in === 'path') || holdsIds(input, schemas),
  }
  const header = [
    ...(operation.creates ? [idempotencyKey] : []),
    ...(operation.ifMatch ? [ifMatch] : []),
    ...(operation.ranges ? [range, ifNoneMatch] : []),
    ...signature(operation),
  ]
  return {
    operationId: name,
    summary,
    ...(deprecated && { deprecated: true, description: deprecationText(deprecated) }),
    tags: [tag],
    'x-permission': permission,
    security: securityOf(permission),
    ...(parameters.length + header.length > 0 && { parameters: [...parameters, ...header] }),
    ...requestBodyOf(body, operation, path, schemas),
    responses: mergeResponses(success, problemResponses(facts)),
  }
}

/** A status can have both data and problems: the response has two media types then. */
const mergeResponses = (success: Responses, problems: Responses): Responses => ({
  ...success,
  ...Object.fromEntries(
    Object.entries(problems).map(([status, response]) => [
      status,
      { ...response, content: { ...success[status]?.content, ...response.content } },
    ]),
  ),
})

type Responses = Record<string, ResponseObject>

const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'A unique key of your choice, such as a UUID. Repeating the request with the same key within 24 hours returns the first response.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

const format: Parameter = {
  name: 'format',
  in: 'query',
  required: false,
  description:
    'The format of the response. Defaults to the format that `Accept` prefers, or JSON if it names none of these.',
  schema: { type: 'string', enum: [...formats] },
}

const ifMatch: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description:
    'One or more `ETag` values of the object. If none of them is current, nothing is changed and the response is 409.',
  schema: { type: 'string' },
}

const range: Parameter = {
  name: 'Range',
  in: 'header',
  required: false,
  description:
    'The part of the file to return, such as `bytes=0-1023`. With `If-Range`, only if the file still has that `ETag`.',
  schema: { type: 'string' },
}

const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The `ETag` of your copy. If it is still current, the response is 304.',
  schema: { type: 'string' },
}

const signature = ({ signed }: Operation): Parameter[] =>
  signed
    ? Object.entries({ 'Content-Digest': 'The digest of the body (RFC 9530): `sha-256=:…:`.', ...signed }).map(
        headerParameter,
      )
    : []

const headerParameter = ([name, description]: [string, string]): Parameter => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
})

const securityOf = (permission: string): Endpoint['security'] => {
  if (permission === 'public') return []
  const roles = ['signed-in', 'person', 'known'].includes(permission) ? [] : [permission]
  return permission === 'service' ? [{ bearer: roles }] : [{ bearer: roles }, { session: roles }]
}

function splitInput(method: string, path: string, input: JsonSchema, schemas: Schemas) {
  const params = pathParameters(path)
  const fields = fieldsOf(input, schemas)
  const parameters = params.map((name): Parameter => ({
    ...queryParameter(name, fields, schemas),
    in: 'path',
    required: true,
  }))
  const rest = [...fields.keys()].filter((name) => !params.includes(name))
  if (method === 'GET')
    return { parameters: [...parameters, ...rest.map((name) => queryParameter(name, fields, schemas))], body: null }
  return { parameters, body: rest.length > 0 || isOpen(input, schemas) ? withoutParams(input, params, schemas) : null }
}

interface Field {
  schema: JsonSchema
  required: boolean
}

function fieldsOf(schema: JsonSchema, schemas: Schemas): Map<string, Field> {
  const { properties = {}, required = [], anyOf = [], oneOf = [] } = schemas.resolve(schema)
  const own = Object.entries(properties).map(([name, inner]): [string, Field] => [
    name,
    { schema: inner, required: required.includes(name) },
  ])
  return new Map([...[...anyOf, ...oneOf].flatMap((kind) => [...fieldsOf(kind, schemas)]), ...own])
}

const isOpen = (schema: JsonSchema, schemas: Schemas): boolean => {
  const { additionalProperties } = schemas.resolve(schema)
  return typeof additionalProperties === 'object'
}

function queryParameter(name: string, fields: ReadonlyMap<string, Field>, schemas: Schemas): Parameter {
  const { schema, required } = fields.get(name) ?? { schema: { type: 'string' }, required: true }
  const { description, ...rest } = schema
  const isObject = schemas.resolve(schema).type === 'object'
  return {
    name,
    in: 'query',
    required,
    ...(description && { description }),
    schema: rest,
    ...(isObject && { style: 'deepObject', explode: true }),
  }
}

function withoutParams(input: JsonSchema, params: readonly string[], schemas: Schemas): JsonSchema {
  if (params.length === 0) return input
  const { properties, required, anyOf, ...rest } = schemas.resolve(input)
  const left = required?.filter((name) => !params.includes(name)) ?? []
  const kept = Object.entries(properties ?? {}).filter(([name]) => !params.includes(name))
  return {
    ...rest,
    ...(properties && { properties: Object.fromEntries(kept) }),
    ...(left.length > 0 && { required: left }),
    ...(anyOf && { anyOf: anyOf.map((kind) => withoutParams(kind, params, schemas)) }),
  }
}

const closeSchema = (schema: JsonSchema, unknown: Operation['unknownFields']): JsonSchema =>
  schema.properties && schema['additionalProperties'] === undefined && !unknown
    ? { ...schema, additionalProperties: false }
    : schema

function requestBodyOf(schema: JsonSchema | null, operation: Operation, path: string, schemas: Schemas) {
  if (isRaw(operation)) return { requestBody: rawBody(operation, schemas) }
  return schema && { requestBody: requestBody(schema, operation, path) }
}

/** Whether the body is bytes. Then the input only consists of path and query. */
const isRaw = ({ body }: Operation): boolean => body?.as === 'bytes' || body?.as === 'stream'

const rawBody = ({ body }: Operation, schemas: Schemas) => ({
  required: true,
  content: body?.describedAs
    ? Object.fromEntries(
        Object.entries(body.describedAs).map(([type, schema]) => [type, { schema: schemas.inputSchema(schema) }]),
      )
    : { [body?.type ?? 'application/octet-stream']: { schema: {} } },
})

function requestBody(schema: JsonSchema, { example, input, body, unknownFields }: Operation, path: string) {
  const params = pathParameters(path)
  const shown = example && Object.fromEntries(Object.entries(example).filter(([name]) => !params.includes(name)))
  const types = body?.as === 'file' ? ['multipart/form-data', 'application/json'] : ['application/json']
  return {
    required: !input.safeParse(Object.fromEntries(params.map((name) => [name, newId()]))).success,
    content: Object.fromEntries(
      types.map((type) => [type, { schema: closeSchema(schema, unknownFields), ...(shown && { example: shown }) }]),
    ),
  }
}

const holdsIds = (schema: JsonSchema, schemas: Schemas): boolean =>
  [...fieldsOf(schema, schemas).values()].some((field) => /"format":"uuid"/.test(JSON.stringify(field.schema)))

function successOf(operation: Operation, schemas: Schemas): Record<string, ResponseObject> {
  const { output, creates, answers } = operation
  const parts = answers ?? { [creates ? 201 : 200]: output }
  return Object.fromEntries(
    Object.entries(parts).flatMap(([status, part]) => responsesOf(status, part, operation, schemas)),
  )
}

type ResponseEntry = [status: string, response: ResponseObject]

function responsesOf(status: string, part: ZodType, operation: Operation, schemas: Schemas): ResponseEntry[] {
  const { creates, streams, streamsOnRequest, ranges } = operation
  const schema = schemas.outputSchema(part)
  const empty = schema.type === 'null'
  if (empty && !streams) return [['204', { description: 'Done.' }]]
  const content: Content = streams
    ? { [streams]: { schema: {}, ...(!empty && { 'x-itemSchema': schema }) } }
    : { 'application/json': { schema }, ...(streamsOnRequest && { [streamsOnRequest]: { schema: {} } }) }
  const isList = itemSchemaOf(operation) !== null
  const answer = {
    description: successDescriptions[status] ?? 'OK.',
    ...(creates && { headers: replayHeaders }),
    ...(isList && { headers: nextPage }),
    content: isList ? { ...content, ...otherFormats(schema, schemas) } : content,
  }
  return [
    [status, answer],
    ...(ranges ? [['206', { description: 'The requested range.', content }] satisfies ResponseEntry, notModified] : []),
  ]
}

const otherFormats = (page: JsonSchema, schemas: Schemas): Content => {
  const item = schemas.resolve(page).properties?.['items']?.items
  return {
    [listFormats.csv[0]]: { schema: { type: 'string' } },
    [listFormats.ndjson[0]]: { schema: {}, ...(item && { 'x-itemSchema': item }) },
  }
}

const nextPage = {
  Link: {
    description: 'With CSV and NDJSON: the URL of the next page as `rel="next"`. Missing on the last page.',
    schema: { type: 'string' },
  },
}

const notModified: ResponseEntry = ['304', { description: 'Not modified: the `ETag` in `If-None-Match` is current.' }]

const successDescriptions: Record<string, string> = {
  201: 'Created.',
  202: 'Accepted. The work continues in the background.',
}

const replayHeaders = {
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to an earlier request with the same key.',
    schema: { type: 'string' },
  },
}

const deprecationText = ({ since, sunset, instead }: NonNullable<Operation['deprecated']>): string =>
  `Deprecated since ${since}. It will be removed on ${sunset}.${instead ? ` Use \`${instead}\` instead.` : ''}`
