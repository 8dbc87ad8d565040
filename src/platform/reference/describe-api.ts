import type { Config } from '#config'
import type { Context } from '#lib/context.ts'
import { cookieName } from '#lib/cookies.ts'
import { openApiSteps, type OpenApiDocument } from '#lib/openapi.ts'
import { version } from '../../../package.json'

interface Description {
  steps: Generator<void, OpenApiDocument>
  document?: OpenApiDocument
}

const descriptions = new WeakMap<readonly Context[], Description>()

/** Built once per list of contexts. */
export function describeApi(contexts: readonly Context[], config: Config): OpenApiDocument {
  const description = descriptionOf(contexts, config)
  for (;;) {
    const document = description.document ?? advance(contexts, description)
    if (document) return document
  }
}

/** Of work between two turns of the event loop. */
const sliceMs = 5

/** Lets other requests run in the meantime. Built on the first request: it takes 20 MB that most servers never need. */
export async function describeApiInSlices(contexts: readonly Context[], config: Config): Promise<OpenApiDocument> {
  for (;;) {
    const description = descriptionOf(contexts, config)
    const until = performance.now() + sliceMs
    do {
      const document = description.document ?? advance(contexts, description)
      if (document) return document
    } while (performance.now() < until)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

function descriptionOf(contexts: readonly Context[], { PUBLIC_URL }: Config): Description {
  const known = descriptions.get(contexts)
  if (known) return known
  const steps = openApiSteps(contexts, {
    info: { title: 'Atrium', version, summary: 'Schedule and publish social media posts, exactly once.' },
    url: PUBLIC_URL ?? '/',
    sessionCookie: cookieName('session', PUBLIC_URL?.startsWith('https:') ?? false),
  })
  const description = { steps }
  descriptions.set(contexts, description)
  return description
}

/** @throws the error of the step. A generator that failed is finished, so the next reader starts another one. */
function advance(contexts: readonly Context[], description: Description): OpenApiDocument | undefined {
  try {
    const { done, value } = description.steps.next()
    if (done) description.document = value
    return description.document
  } catch (error) {
    descriptions.delete(contexts)
    throw error
  }
}
