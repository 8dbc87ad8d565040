import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { FieldError } from '#lib/errors.ts'
import { scaleTime } from '../support/time-scale.ts'
import { openStripe, type StripeServer } from '../gateway/stripe/server.ts'
import { openWorld, type World } from '../support/world.ts'
import type { CheckedResponse } from './check-response.ts'
import { sendChecked, fromPage, requestFor, allowedCaller } from './send-request.ts'
import { inOrder, operations, paramsOf, type Declared } from './every.ts'
import { fieldsOf, leaves, replaceAt, type Path } from './fields.ts'
import { inputRefusal, type Refusal } from './input-refusal.ts'
import { briefJunk, formJunk, isTelling, junk, junkOfQuery } from './junk.ts'
import { samplesOf, type Input } from './samples.ts'

// Junk in every field of every operation is refused with a message, or stored and shown again, and never causes a
// server error.

let world: World
let stripe: StripeServer

/** Milliseconds for the hundreds of requests of one operation. */
const limit = scaleTime(60_000)

beforeAll(async () => {
  stripe = await openStripe()
  world = await openWorld({ apps: true, stripe })
})

afterAll(async () => {
  await world.close()
  await stripe.stop()
})

/** The fields of query and body, including a network's own form; path parameters have their own test. */
function fields(operation: Declared): Path[] {
  const params = paramsOf(operation.path)
  const own = samplesOf(operation, world).flatMap((sample) => leaves(sample).map(([path]) => path))
  const all = [...fieldsOf(operation.input), ...own].filter(([first = '']) => first && !params.includes(first))
  return [...new Map(all.map((path) => [path.join('.'), path])).values()]
}

/** A valid input that already has the field, if there is one. */
function sampleWith(operation: Declared, [field = '']: Path): Input {
  const samples = samplesOf(operation, world)
  return samples.find((sample) => field in sample) ?? samples[0] ?? {}
}

/** Each of these hashes a password, which is slow. */
const slow = ['login', 'register', 'registerByInvitation', 'removeTotp', 'regenerateRecoveryCodes', 'removePasskey']

function junkFor({ name, method }: Declared, path: Path): unknown[] {
  if (slow.includes(name) || path.length > 1) return briefJunk
  return method === 'GET' ? junkOfQuery : junk
}

const shown = (path: Path, value: unknown): string => `${path.join('.')} = ${JSON.stringify(value).slice(0, 80)}`

// With any input they end the session, the workspace or the keys that the other tests need.
const last = ['deleteOrganization', 'deleteAccount', 'logout', 'suspendOrganization', 'revokeDeveloperAccess']
// An empty list of apps or models is valid, and takes away those that the other tests need.
const withdrawing = ['chooseApps', 'chooseInstallations', 'updateModelPreferences']
const withFields = inOrder
  .filter(({ name, input, path }) => !last.includes(name) && fieldsOf(input).length > paramsOf(path).length)
  .map((operation) => [operation.route, operation] as const)

/**
 * Statuses allowed for junk: success, too deeply nested, invalid credential, not found, conflict, invalid, or too many
 * wrong passwords.
 */
const fair = [200, 201, 202, 204, 400, 401, 404, 409, 422, 429]
/** A named model needs a permission that junk in other operations takes from the caller. */
const fairFor = ({ name }: Declared): number[] => (name === 'generateImages' ? [...fair, 403] : fair)

/** The fields of a refusal that the operation doesn't have. */
const strayFields = ({ errors }: Pick<Refusal, 'errors'>, known: Path[]): string[] =>
  errors
    .map(({ path }) => path.split('.')[0] ?? '')
    .filter((name) => name !== '' && !known.some(([field]) => field === name))

const isWithdrawing = ([, { name }]: (typeof withFields)[number]): boolean => withdrawing.includes(name)

const refusedJunk = 'PLT-10 %s: junk in any field is never a 5xx, and is rejected with a 422 that names the fields'

test.each(withFields.filter((each) => !isWithdrawing(each)))(
  refusedJunk,
  (_, operation) => expectRefusals(operation),
  limit,
)

async function expectRefusals(operation: Declared): Promise<void> {
  const known = fields(operation)
  for (const path of known) {
    const isFirst = path === known[0]
    let refused = 0
    for (const value of junkFor(operation, path)) {
      const refusal = await inputRefusal(operation, junkInput(operation, path, value), 'json')
      if (refusal) expect(strayFields(refusal, known), shown(path, value)).toEqual([])
      // Sent over HTTP: one refused value of each field, and the accepted ones: all of the first field, then one of
      if (refusal && ++refused > 1) continue
      if (!refusal && !isFirst && !isTelling(value)) continue
      const answer = await send(operation, path, value)
      expect(refusal ? [refusal.status] : fairFor(operation), `${shown(path, value)}: ${answer.text}`).toContain(
        answer.status,
      )
      if (refusal?.errors.length) expect(answer.json?.['errors']).toEqual(refusal.errors)
      else if (answer.status === 422) {
        refused++
        expect(strayFields({ errors: errorsOf(answer) }, known), answer.text).toEqual([])
      }
    }
    expect(refused, `nothing is refused as ${path.join('.')}`).toBeGreaterThan(0)
  }
}

const errorsOf = ({ json }: CheckedResponse): FieldError[] => json?.['errors'] as FieldError[]

const junkInput = (operation: Declared, path: Path, value: unknown): Input =>
  replaceAt(sampleWith(operation, path), path, value)

function send(operation: Declared, path: Path, value: unknown): Promise<CheckedResponse> {
  return sendChecked(allowedCaller(operation, world), requestFor(operation, junkInput(operation, path, value)))
}

/** Operations that accept bytes don't accept forms. */
const takesForm = ({ method, body }: Declared): boolean =>
  method !== 'GET' && body?.as !== 'bytes' && body?.as !== 'stream'

const withForms = withFields.filter(([, operation]) => takesForm(operation) && operation.name !== 'deletePost')

const answeredForm = 'PLT-06 PLT-10 %s: junk from a form returns an HTML page'

test.each(withForms.filter((each) => !isWithdrawing(each)))(
  answeredForm,
  (_, operation) => expectPages(operation),
  limit,
)

async function expectPages(operation: Declared): Promise<void> {
  const form = { ...fromPage, 'content-type': 'application/x-www-form-urlencoded' }
  for (const path of fields(operation).filter((each) => each.length === 1)) {
    let isRefusedOnce = false
    for (const value of formJunk) {
      const input = junkInput(operation, path, value)
      const refusal = await inputRefusal(operation, input, 'form')
      if (refusal && isRefusedOnce) continue
      isRefusedOnce ||= refusal !== null
      const { query, route } = asForm(operation, input)
      const answer = await sendChecked(
        allowedCaller(operation, world),
        { route, body: query, streams: operation.streams },
        form,
      )
      expect(refusal ? [refusal.status] : fairFor(operation), shown(path, value)).toContain(answer.status)
    }
  }
}

/** The body encoded as a form. */
function asForm(operation: Declared, input: Input): { route: string; query: string } {
  const { route } = requestFor(operation, input)
  const asGet = requestFor({ ...operation, method: 'GET' }, input).route
  return { route, query: asGet.split('?')[1] ?? '' }
}

test('PLT-11 stored junk can be read again as JSON and HTML', async () => {
  for (const operation of operations.filter(({ method }) => method === 'GET'))
    for (const sample of samplesOf(operation, world)) {
      const answer = await sendChecked(allowedCaller(operation, world), requestFor(operation, sample))
      expect([200, 404], operation.route).toContain(answer.status)
    }
  for (const page of ['/workspace/posts', '/workspace/accounts', '/dev/sandbox/lab', '/dev/sandbox/unwell'])
    expect((await sendChecked(world.ada, { route: `GET ${page}` }, { accept: 'text/html' })).status).toBe(200)
})

test.each(withFields.filter(isWithdrawing))(refusedJunk, (_, operation) => expectRefusals(operation), limit)
test.each(withForms.filter(isWithdrawing))(answeredForm, (_, operation) => expectPages(operation), limit)
