import addFormats from 'ajv-formats'
import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import type { Handler } from '#lib/http.ts'
import type { Endpoint, OpenApiDocument } from '#lib/openapi/document.ts'
import { sharedPaths } from '../../src/hosts.ts'

/** Paths whose services respond with different data: the description has that of the default service. */
const differing = new Set(['/api/dashboard'])

/**
 * The same server, checked against its own description (PLT-15): a response with a status, media type, code or data
 * that the operation doesn't declare fails the test that got it.
 */
export function heldToContract(handle: Handler, document: OpenApiDocument): Handler {
  const find = finder(document)
  const check = checker(document)
  return async (request, ...more) => {
    const response = await handle(request, ...more)
    const { pathname, searchParams } = new URL(request.url)
    const found = find(request.method, pathname)
    const isOther =
      differing.has(pathname) && (searchParams.get('app') ?? sharedPaths[pathname]) !== sharedPaths[pathname]
    if (found && !isOther && isData(response)) {
      const complaint = await check(found, response)
      if (complaint) throw new Error(`${found.route} breaks its contract: ${complaint}`)
    }
    return response
  }
}

interface Found {
  route: string
  /** Its location in the document, as a JSON pointer. */
  pointer: string
  endpoint: Endpoint
}

/** The operation of a path: literal segments before parameters. */
function finder({ paths }: OpenApiDocument): (method: string, path: string) => Found | undefined {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      parameters: path.split('{').length,
      found: { route: `${method.toUpperCase()} ${path}`, pointer: `#/paths/${escaped(path)}/${method}`, endpoint },
    })),
  )
  const sorted = all.toSorted((one, other) => one.parameters - other.parameters)
  return (method, path) => sorted.find((one) => one.method === method && one.pattern.test(path))?.found
}

/** Redirects, fragments and pages are for browsers. */
const isData = ({ status, headers }: Response): boolean =>
  status === 204 || !/^$|text\/html/.test(headers.get('content-type') ?? '')

const escaped = (part: string): string => part.replaceAll('~', '~0').replaceAll('/', '~1')

function checker(document: OpenApiDocument): (found: Found, response: Response) => Promise<string | null> {
  const ajv = addFormats(new Ajv({ strict: false, validateSchema: false, allErrors: true }))
  ajv.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const validatorOf = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api${encodeURI(pointer)}` })
    compiled.set(pointer, known)
    return known
  }
  return async ({ pointer, endpoint }, response) => {
    const range = `${Math.floor(response.status / 100)}XX`
    const { responses } = endpoint
    const declared = responses[response.status] ?? responses[range] ?? responses['default']
    if (!declared) return `it never answers ${response.status}: ${await response.clone().text()}`
    if (!declared.content) return (await response.clone().text()) === '' ? null : `${response.status} has no content`
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    if (![type, type.replace(/\/.*/, '/*'), '*/*'].some((each) => declared.content?.[each]))
      return `${response.status} is never ${type}`
    if (!/[/+]json$/.test(type)) return null
    const text = await response
      .clone()
      .text()
      .catch(() => null)
    if (text === null) return null // A connection that the sandbox was configured to close.
    const data: unknown = JSON.parse(text)
    const codes = declared['x-codes']
    const code = codeOf(data)
    if (codes && type.startsWith('application/problem') && !codes.includes(code))
      return `${response.status} ${code} is not among its \`problems\``
    const status = [String(response.status), range].find((each) => each in responses) ?? 'default'
    const valid = validatorOf(`${pointer}/responses/${status}/content/${escaped(type)}/schema`)
    return valid(data) ? null : `${ajv.errorsText(valid.errors)} in ${text}`
  }
}

const codeOf = (data: unknown): string =>
  typeof data === 'object' && data !== null && 'code' in data ? String(data.code) : ''
